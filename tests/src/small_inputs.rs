//! Runs a program on all small inputs, and on random ones that may be larger, compiled by the system's C compiler with its sanitizers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::corpus::manifest::hexadecimal_digest;
use crate::entry::{Entry, Parameter};
use crate::struct_types::{FieldKind, StructTypes};

/// Most inputs of which all are tried on one program; longer arrays, and more nodes, are left out first.
const MOST_INPUTS: u64 = 150_000;

/// Longest array of which all contents are tried.
const LONGEST_ARRAY: u32 = 4;

/// Most nodes and elements that an input with linked objects has.
const MOST_NODES: usize = 8;

/// Most inputs that are tried where there are such, of each kind: any, in order, in pairs. Few of them are kept by assumptions.
const MOST_INPUTS_OF_NODES: u64 = 120_000;

/// The part that is the same for all programs.
const DRIVER: &str = include_str!("small-inputs.c");

/// What that part and the generated one tell each other.
const INTERFACE: &str = include_str!("small-inputs.h");

/// A digest of all that the runs of a program depend on, but for the compiler.
pub fn digest(program: &[u8]) -> String {
    let machinery =
        [DRIVER, INTERFACE, include_str!("small_inputs.rs"), include_str!("entry.rs"), include_str!("struct_types.rs")].concat();
    hexadecimal_digest(&[machinery.as_bytes(), program].concat())
}

/// How a program's runs end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runs {
    /// None fails: how many reach the end and how many are ignored.
    Good(String),
    /// No run reaches the end, and none fails.
    Ignored(String),
    /// One fails: the input, and what the sanitizer says.
    Failing {
        /// The input.
        input: String,
        /// What was written to standard error.
        reason: String,
    },
}

/// Compiles and runs programs, in a folder of its own.
#[derive(Debug, Clone)]
pub struct SmallInputs {
    work: PathBuf,
}

impl SmallInputs {
    /// Compiles the part that is the same for all programs. Nothing where `cc` or a sanitizer is missing.
    pub fn new(work: &Path) -> Option<Self> {
        let source = work.join("small-inputs.c");
        let probe = work.join("probe.c");
        let works = std::fs::create_dir_all(work).is_ok()
            && std::fs::write(&source, DRIVER).is_ok()
            && std::fs::write(work.join("small-inputs.h"), INTERFACE).is_ok()
            && std::fs::write(&probe, "int main(void) { return 0; }\n").is_ok()
            && compile(&[&probe], &["-o"], &work.join("probe")).is_ok()
            && compile(&[&source], &["-c", "-o"], &work.join("small-inputs.o")).is_ok();
        works.then(|| Self { work: work.to_path_buf() })
    }

    /// Runs the entry `test` of one program on these inputs; an error says why it cannot be run.
    pub fn run(&self, file: &Path) -> Result<Runs, String> {
        let name = file.file_stem().and_then(|stem| stem.to_str()).ok_or("no file name")?;
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let entry = Entry::find(&text, "test").ok_or("no entry `test(...)` with parameters of the known forms")?;
        let source = self.work.join(format!("{name}.driver.c"));
        let program = self.work.join(name);
        std::fs::write(&source, generated_part(file, &text, &entry)?).map_err(|error| error.to_string())?;
        compile(&[&source, &self.work.join("small-inputs.o")], &["-o"], &program)?;
        let output = Command::new(&program)
            .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0:malloc_context_size=0")
            .output()
            .map_err(|error| error.to_string())?;
        // An instrumented program is large, and there may be hundreds.
        let _ = std::fs::remove_file(&program);
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() && said.is_empty() && reason.is_empty() {
            return Err(format!("a run was killed, as one that takes too long is: {}", output.status));
        }
        Ok(match output.status.success() {
            true if said.starts_with("0 ") => Runs::Ignored(said),
            true => Runs::Good(said),
            // The undefined behaviour sanitizer ends a run without showing the input.
            false if said.is_empty() => {
                Runs::Failing { input: reason.lines().find(|line| line.contains("error")).unwrap_or_default().to_owned(), reason }
            }
            false => Runs::Failing { input: said, reason },
        })
    }
}

fn compile(sources: &[&Path], mode: &[&str], result: &Path) -> Result<(), String> {
    let output = Command::new("cc")
        .args(["-std=c11", "-O1", "-w", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        // Signed overflow wraps, as the prover has it.
        .args(["-fwrapv", "-fno-sanitize=signed-integer-overflow,shift-base"])
        // What was never set has the same value in each run, and not that of an earlier one.
        .arg("-ftrivial-auto-var-init=pattern")
        .args(mode)
        .arg(result)
        .args(sources)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The values that elements and integers take: the small ones, the ones around the sign, the character constants of the text, and the
/// ends of `int` where there are elements wider than characters.
fn values(text: &str, entry: &Entry) -> Vec<i64> {
    let mut values = vec![0, 1, -1];
    let is_wide = |parameter: &Parameter| matches!(parameter, Parameter::Array { element, .. } if !element.ends_with("char"));
    if entry.parameters.iter().any(is_wide) {
        values.extend([i64::from(i32::MIN), i64::from(i32::MAX)]);
    }
    let bytes = text.as_bytes();
    for window in bytes.windows(3) {
        if let [b'\'', character, b'\''] = window {
            values.push(i64::from(*character));
        }
    }
    if text.contains("'\\t'") {
        values.push(9);
    }
    values.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
    values.dedup();
    values
}

/// The longest arrays and all combinations of them that keep the number of inputs below the limit.
fn longest_array(entry: &Entry, values: u64, integers: u64) -> u32 {
    let mut longest = LONGEST_ARRAY;
    while longest > 1 {
        let contents: u64 = (0..=longest).map(|length| values.saturating_pow(length)).fold(0, u64::saturating_add);
        let inputs = entry.parameters.iter().fold(1_u64, |product, parameter| {
            product.saturating_mul(if matches!(parameter, Parameter::Array { .. }) { contents } else { integers })
        });
        if inputs <= MOST_INPUTS {
            break;
        }
        longest -= 1;
    }
    longest
}

/// How large inputs get.
struct Limits {
    longest_array: u32,
    /// Elements and nodes together.
    largest_size: usize,
    inputs: u64,
}

impl Limits {
    fn of(entry: &Entry, values: usize, integers: usize) -> Self {
        if entry.parameters.iter().any(|parameter| matches!(parameter, Parameter::Object { .. })) {
            return Self { longest_array: LONGEST_ARRAY, largest_size: MOST_NODES, inputs: MOST_INPUTS_OF_NODES };
        }
        let longest_array = longest_array(entry, values as u64, integers as u64);
        Self { longest_array, largest_size: arrays(entry) * longest_array as usize, inputs: u64::MAX }
    }
}

fn arrays(entry: &Entry) -> usize {
    entry.parameters.iter().filter(|parameter| matches!(parameter, Parameter::Array { .. })).count()
}

/// The generated part of the program: the file itself, the values to try, and a call of the entry with the chosen input.
fn generated_part(file: &Path, text: &str, entry: &Entry) -> Result<String, String> {
    let file = file.canonicalize().map_err(|error| error.to_string())?;
    let elements = values(text, entry);
    let mut integers = elements.clone();
    // Arguments that stand for characters are ints: 255 and 256 become others as char.
    integers.extend([2, 3, 4, 255, 256]);
    integers.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
    integers.dedup();
    let limits = Limits::of(entry, elements.len(), integers.len());
    let types = StructTypes::read(text);
    let tags = pointed_to(entry, &types)?;
    let (declarations, inputs) = inputs(entry, &tags);
    let call: Vec<String> = (0..entry.parameters.len()).map(|position| format!("input_{position}")).collect();
    Ok(format!(
        "#define malloc program_malloc\n\
         #define realloc program_realloc\n\
         #define free program_free\n\
         #define abort program_exit\n\
         #include \"{}\"\n\
         #undef NULL\n\
         #include \"small-inputs.h\"\n\
         {}\
         const long long element_values[] = {{{}}}, integer_values[] = {{{}}};\n\
         const int element_value_count = {}, integer_value_count = {}, longest_array = {}, largest_size = {};\n\
         const unsigned long most_inputs = {}u;\n\
         const int array_inputs = {}, object_inputs = {}, allocates = {};\n\
         {declarations}\
         void make_inputs(void) {{\n{inputs}}}\n\
         void call_entry(void) {{ test({}); }}\n",
        file.display(),
        tables(&tags, &types)?,
        list(&elements),
        list(&integers),
        elements.len(),
        integers.len(),
        limits.longest_array,
        limits.largest_size,
        limits.inputs,
        arrays(entry),
        entry.parameters.iter().filter_map(object_tag).count(),
        i32::from(text.contains("malloc(")),
        call.join(", ")
    ))
}

/// The variables of the inputs, and the statements that fill them.
fn inputs(entry: &Entry, tags: &[String]) -> (String, String) {
    let (mut declarations, mut inputs) = (String::new(), String::new());
    for (position, parameter) in entry.parameters.iter().enumerate() {
        let name = parameter.name();
        let (declared, filled) = match parameter {
            Parameter::Integer { type_name, .. } => {
                let kind = if type_name == "_Bool" { "boolean" } else { "integer" };
                (type_name.clone(), format!("input_{position} = ({type_name}){kind}_input(\"{name}\");"))
            }
            Parameter::Array { struct_name, pointer, .. } => (
                format!("struct {struct_name}"),
                format!(
                    "int length_{position};\n    \
                     input_{position}.{pointer} = array_input(\"{name}\", sizeof *input_{position}.{pointer}, &length_{position});\n    \
                     input_{position}.n_{pointer} = length_{position};"
                ),
            ),
            Parameter::Object { type_name, struct_name, .. } => {
                let number = tags.iter().position(|tag| tag == struct_name).unwrap_or_default();
                (type_name.clone(), format!("input_{position} = object_input(\"{name}\", {number});"))
            }
        };
        let _ = writeln!(declarations, "static {declared} input_{position};");
        let _ = writeln!(inputs, "    {filled}");
    }
    (declarations, inputs)
}

/// The structs that inputs point to, and those that these point to.
fn pointed_to(entry: &Entry, types: &StructTypes) -> Result<Vec<String>, String> {
    let mut tags: Vec<String> = Vec::new();
    let mut waiting: Vec<String> = entry.parameters.iter().rev().filter_map(object_tag).cloned().collect();
    while let Some(tag) = waiting.pop() {
        if !tags.contains(&tag) {
            waiting.extend(targets(&tag, types)?);
            tags.push(tag);
        }
    }
    Ok(tags)
}

fn object_tag(parameter: &Parameter) -> Option<&String> {
    if let Parameter::Object { struct_name, .. } = parameter { Some(struct_name) } else { None }
}

fn targets(tag: &str, types: &StructTypes) -> Result<Vec<String>, String> {
    let fields = types.fields(tag).ok_or_else(|| format!("struct {tag} is missing or has a field of a form that is not known"))?;
    Ok(fields.into_iter().filter_map(|field| if let FieldKind::Pointer(target) = field.kind { Some(target) } else { None }).collect())
}

/// The table of the structs that inputs point to.
fn tables(tags: &[String], types: &StructTypes) -> Result<String, String> {
    let (mut fields, mut structures) = (String::new(), String::new());
    for (number, tag) in tags.iter().enumerate() {
        let mut count = 0;
        let _ = write!(fields, "static const struct field fields_{number}[] = {{");
        for field in types.fields(tag).unwrap_or_default() {
            let kind = match &field.kind {
                FieldKind::Integer => "INTEGER_FIELD".to_owned(),
                FieldKind::Boolean => "BOOLEAN_FIELD".to_owned(),
                FieldKind::OtherPointer => "NULL_FIELD".to_owned(),
                FieldKind::Pointer(target) => tags.iter().position(|tag| tag == target).unwrap_or_default().to_string(),
            };
            let place = format!("__builtin_offsetof(struct {tag}, {0}), sizeof ((struct {tag} *)0)->{0}", field.path);
            let _ = write!(fields, "\n    {{\"{}\", {place}, {kind}}},", field.path);
            count += 1;
        }
        fields.push_str("\n};\n");
        let is_linked = i32::from(reaches_itself(tag, types)?);
        let _ = write!(structures, "\n    {{sizeof (struct {tag}), {is_linked}, {count}, fields_{number}}},");
    }
    Ok(format!("{fields}const struct structure structures[] = {{{structures}\n    {{0, 0, 0, 0}},\n}};\n"))
}

/// Whether a struct points to itself, perhaps through others.
fn reaches_itself(tag: &str, types: &StructTypes) -> Result<bool, String> {
    let mut reached = targets(tag, types)?;
    let mut next = 0;
    while let Some(from) = reached.get(next).cloned() {
        for target in targets(&from, types)? {
            if !reached.contains(&target) {
                reached.push(target);
            }
        }
        next += 1;
    }
    Ok(reached.iter().any(|reached| reached == tag))
}

fn list(values: &[i64]) -> String {
    values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}
