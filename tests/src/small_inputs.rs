//! Runs a program on all small inputs, and on random ones that may be larger, compiled by the system's C compiler with its sanitizers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::corpus::manifest::hexadecimal_digest;
use crate::entry::{Entry, Parameter};

/// Most inputs of which all are tried on one program; longer arrays are left out first.
const MOST_INPUTS: u64 = 150_000;

/// Longest array of which all contents are tried.
const LONGEST_ARRAY: u32 = 4;

/// The part that is the same for all programs.
const DRIVER: &str = include_str!("small-inputs.c");

/// A digest of all that the runs of a program depend on, but for the compiler.
pub fn digest(program: &[u8]) -> String {
    let machinery = [DRIVER, include_str!("small_inputs.rs"), include_str!("entry.rs")].concat();
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
            && std::fs::write(&probe, "int main(void) { return 0; }\n").is_ok()
            && compile(&[&probe], &["-o"], &work.join("probe")).is_ok()
            && compile(&[&source], &["-c", "-o"], &work.join("small-inputs.o")).is_ok();
        works.then(|| Self { work: work.to_path_buf() })
    }

    /// Runs the entry `test` of one program on these inputs; an error says why it cannot be run.
    pub fn run(&self, file: &Path) -> Result<Runs, String> {
        let name = file.file_stem().and_then(|stem| stem.to_str()).ok_or("no file name")?;
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let entry = Entry::find(&text, "test").ok_or("no entry `void test(...)` with parameters of the known forms")?;
        let source = self.work.join(format!("{name}.driver.c"));
        let program = self.work.join(name);
        std::fs::write(&source, generated_part(file, &text, &entry)?).map_err(|error| error.to_string())?;
        compile(&[&source, &self.work.join("small-inputs.o")], &["-o"], &program)?;
        let output = Command::new(&program)
            .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0")
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

/// The generated part of the program: the file itself, the values to try, and a call of the entry with the chosen input.
fn generated_part(file: &Path, text: &str, entry: &Entry) -> Result<String, String> {
    let file = file.canonicalize().map_err(|error| error.to_string())?;
    let elements = values(text, entry);
    let mut integers = elements.clone();
    // Arguments that stand for characters are ints: 255 and 256 become others as char.
    integers.extend([2, 3, 4, 255, 256]);
    integers.sort_unstable_by_key(|value| (value.unsigned_abs(), *value < 0));
    integers.dedup();
    let longest = longest_array(entry, elements.len() as u64, integers.len() as u64);

    let mut inputs = String::new();
    for (position, parameter) in entry.parameters.iter().enumerate() {
        match parameter {
            Parameter::Integer { type_name, .. } => {
                writeln!(inputs, "    {type_name} input_{position} = ({type_name})integer_input({position});")
            }
            Parameter::Array { struct_name, pointer, .. } => writeln!(
                inputs,
                "    struct {struct_name} input_{position};\n    \
                 input_{position}.{pointer} = array_input({position}, sizeof *input_{position}.{pointer});\n    \
                 input_{position}.n_{pointer} = length_input({position});"
            ),
        }
        .map_err(|error| error.to_string())?;
    }
    let call: Vec<String> = (0..entry.parameters.len()).map(|position| format!("input_{position}")).collect();
    let is_array = entry.parameters.iter().map(|parameter| i64::from(matches!(parameter, Parameter::Array { .. })));
    let names: Vec<String> = entry.parameters.iter().map(|parameter| format!("\"{}\"", parameter.name())).collect();
    Ok(format!(
        "#define malloc program_malloc\n\
         #define free program_free\n\
         #include \"{}\"\n\
         extern long long integer_input(int);\n\
         extern int length_input(int);\n\
         extern void *array_input(int, unsigned long);\n\
         const int parameters = {};\n\
         const int parameter_is_array[] = {{{}}};\n\
         const char *const parameter_names[] = {{{}}};\n\
         const long long element_values[] = {{{}}}, integer_values[] = {{{}}};\n\
         const int element_value_count = {}, integer_value_count = {}, longest_array = {longest};\n\
         const int allocates = {};\n\
         void call_entry(void) {{\n{inputs}    test({});\n}}\n",
        file.display(),
        entry.parameters.len(),
        list(is_array),
        names.join(", "),
        list(elements.iter().copied()),
        list(integers.iter().copied()),
        elements.len(),
        integers.len(),
        i32::from(text.contains("malloc(")),
        call.join(", ")
    ))
}

fn list(values: impl Iterator<Item = i64>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}
