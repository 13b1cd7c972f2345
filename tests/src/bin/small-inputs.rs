//! Runs every example and test program on all small inputs, compiled by the system's C compiler with its sanitizers: a good
//! program never fails, its buggy twin (`NAME.buggy.c`) fails on some input.
//!
//! Usage: `small-inputs [FILE.c]...`; without arguments, all of `examples/` and `tests/programs/`. Where there is no C compiler with
//! sanitizers the run is skipped with a message and counts as passed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use goatherd_tests::entry::{Entry, Parameter};
use goatherd_tests::{c_programs, is_buggy_twin, workspace_root};

/// Most inputs that are tried on one program; longer arrays are left out first.
const MOST_INPUTS: u64 = 150_000;

/// Longest array that is tried.
const LONGEST_ARRAY: u32 = 4;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let files = if arguments.is_empty() { [c_programs("examples"), c_programs("tests/programs")].concat() } else { arguments };
    let work = workspace_root().join("target/small-inputs");
    if let Err(error) = std::fs::create_dir_all(&work) {
        eprintln!("small-inputs: cannot create {}: {error}", work.display());
        return ExitCode::FAILURE;
    }
    if !compiler_works(&work) {
        println!("small-inputs: skipped: no C compiler `cc` with -fsanitize=address,undefined here");
        return ExitCode::SUCCESS;
    }
    let mut wrong = 0;
    for file in &files {
        let shown = file.strip_prefix(workspace_root()).unwrap_or(file).display();
        match judge(file, &work) {
            Ok(line) => println!("ok     {shown}: {line}"),
            Err(message) => {
                println!("WRONG  {shown}: {message}");
                wrong += 1;
            }
        }
    }
    println!("{} programs, {wrong} wrong", files.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compiles the part that is the same for all programs; false where `cc` or a sanitizer is missing.
fn compiler_works(work: &Path) -> bool {
    let source = work.join("small-inputs.c");
    let probe = work.join("probe.c");
    std::fs::write(&source, include_str!("../small-inputs.c")).is_ok()
        && std::fs::write(&probe, "int main(void) { return 0; }\n").is_ok()
        && compile(&[&probe], &["-o"], &work.join("probe")).is_ok()
        && compile(&[&source], &["-c", "-o"], &work.join("small-inputs.o")).is_ok()
}

fn compile(sources: &[&Path], mode: &[&str], result: &Path) -> Result<(), String> {
    let output = Command::new("cc")
        .args(["-std=c11", "-O1", "-w", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .args(mode)
        .arg(result)
        .args(sources)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Runs one program; says what was seen where it is as expected of its name.
fn judge(file: &Path, work: &Path) -> Result<String, String> {
    let name = file.file_stem().and_then(|stem| stem.to_str()).ok_or("no file name")?;
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let entry = Entry::find(&text, "test").ok_or("no entry `void test(...)` with parameters of the known forms")?;
    let source = work.join(format!("{name}.driver.c"));
    let program = work.join(name);
    std::fs::write(&source, generated_part(file, &text, &entry)?).map_err(|error| error.to_string())?;
    compile(&[&source, &work.join("small-inputs.o")], &["-o"], &program)?;
    let output = Command::new(&program)
        .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0")
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match (output.status.success(), is_buggy_twin(file)) {
        (true, false) if said.starts_with("0 ") => Err(format!("no input reaches the end: {said}")),
        (true, false) | (false, true) => Ok(said),
        (true, true) => Err(format!("a buggy twin that never fails: {said}")),
        (false, false) => Err(format!("{said}\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The values that elements and integers take: the small ones, the ones around the sign, and the character constants of the text.
fn values(text: &str) -> Vec<i64> {
    let mut values = vec![0, 1, -1];
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
    let elements = values(text);
    let mut integers = elements.clone();
    integers.extend([2, 3, 4]);
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
