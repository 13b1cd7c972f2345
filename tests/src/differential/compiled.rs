//! Cases, compiled by the system's C compiler and run under its sanitizers.

use super::{Dialect, Ending, Fault, PRELUDE, generator::Case};
use goatherd_certificates::program::IntegerType;
use goatherd_interpreter::{InputValue, arithmetic};
use std::{
    fmt::Write as _,
    fs, io,
    path::Path,
    process::{Command, Stdio},
};

/// Before the cases: what the driver needs of the C library, and how it runs and shows.
const DRIVER: &str = r#"
int printf(const char *, ...);
int fflush(void *);
int fork(void);
int waitpid(int, int *, int);
unsigned alarm(unsigned);
int dup2(int, int);
void _exit(int);

static void *driver_copy(unsigned char const *contents, unsigned long size)
{
    unsigned char *memory = malloc(size);
    for (unsigned long i = 0; i < size; i++)
        memory[i] = contents[i];
    return memory;
}

static void driver_show(void const *memory, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        printf("%02x", ((unsigned char const *)memory)[i]);
}

/* Runs in a process of its own, so that the first error ends only this run. */
static void driver_run(void (*run)(void))
{
    int status = 0;
    printf("\n== ");
    fflush(0);
    int child = fork();
    if (child == 0) {
        alarm(20);
        dup2(1, 2);
        run();
        printf(" finished");
        fflush(0);
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf(" status %d", status);
    fflush(0);
}
"#;

/// The status with which a child dies of an arithmetic trap.
const TRAPPED: &str = "status 8";

/// Is there a C compiler with these sanitizers? Compiles in the directory.
pub fn compiler_works(directory: &Path) -> bool {
    run(&[], Dialect::Wrapping, directory).is_ok()
}

/// Compiles the cases into one program, in this directory, and runs every input of every case. Fails if the compiler cannot be run or
/// refuses the program.
pub fn run(cases: &[Case], dialect: Dialect, directory: &Path) -> io::Result<Vec<Vec<Ending>>> {
    let (file, program) = (directory.join("cases.c"), directory.join("cases"));
    fs::write(&file, driver(cases))?;
    let overflow = match dialect {
        Dialect::Wrapping => ["-fwrapv", "-fno-sanitize=signed-integer-overflow,shift-base"],
        Dialect::Checked => ["-fno-wrapv", "-fsanitize=signed-integer-overflow"],
    };
    let built = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .args(overflow)
        .arg("-o")
        .args([&program, &file])
        .output()?;
    if !built.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&built.stderr).into_owned()));
    }
    let output = Command::new(&program)
        .env("ASAN_OPTIONS", "symbolize=0:detect_leaks=0:redzone=512:detect_stack_use_after_return=1")
        .env("UBSAN_OPTIONS", "symbolize=0")
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut endings = text.split("\n== ").skip(1).map(ending);
    let mut next = || endings.next().unwrap_or_else(|| Ending::Unknown("no output".to_owned()));
    Ok(cases.iter().map(|case| case.inputs.iter().map(|_| next()).collect()).collect())
}

/// How a run ended, from what it printed.
fn ending(text: &str) -> Ending {
    if let Some((bytes, _)) = text.split_once(" finished") {
        let digits = bytes.trim().as_bytes();
        let byte = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
        return match digits.chunks(2).map(byte).collect() {
            Some(bytes) => Ending::Finished(bytes),
            None => Ending::Unknown(text.to_owned()),
        };
    }
    let classes = [
        ("division by", Fault::Division),
        (TRAPPED, Fault::Division),
        ("left shift of", Fault::Overflow),
        ("shift exponent", Fault::Shift),
        ("signed integer overflow", Fault::Overflow),
        ("cannot be represented in type", Fault::Overflow),
        ("null pointer", Fault::Null),
        ("out of bounds", Fault::Memory),
        ("insufficient space", Fault::Memory),
        ("heap-buffer-overflow", Fault::Memory),
        ("stack-buffer", Fault::Memory),
        ("dynamic-stack-buffer", Fault::Memory),
        ("global-buffer-overflow", Fault::Memory),
        ("heap-use-after-free", Fault::Memory),
        ("stack-use-after", Fault::Memory),
        ("use-after-poison", Fault::Memory),
        ("unknown-crash", Fault::Memory),
        ("attempting", Fault::Memory),
    ];
    match classes.iter().find(|(words, _)| text.contains(words)) {
        Some((_, fault)) => Ending::Faulty(*fault),
        None => Ending::Unknown(text.to_owned()),
    }
}

fn driver(cases: &[Case]) -> String {
    let mut text = format!("{PRELUDE}{DRIVER}");
    let mut calls = String::new();
    for case in cases {
        text.push_str(&case.source);
        for (position, inputs) in case.inputs.iter().enumerate() {
            let name = format!("run_{}_{position}", case.entry);
            // Writing to a string does not fail.
            let _ = writeln!(calls, "    driver_run({name});");
            text.push_str(&call(case, &name, inputs));
        }
    }
    text + "int main(void)\n{\n" + &calls + "    return 0;\n}\n"
}

/// A function that builds the inputs, calls the entry function and shows the arrays.
fn call(case: &Case, name: &str, inputs: &[InputValue]) -> String {
    let number = case.entry.trim_start_matches("test_");
    let mut before = Vec::new();
    let mut after = Vec::new();
    let mut arguments = Vec::new();
    let mut scalars = case.scalars.iter();
    for (position, value) in inputs.iter().enumerate() {
        match value {
            InputValue::Array(elements) => {
                let kind = case.elements[position].kind();
                let contents: Vec<String> =
                    elements.iter().flatten().flat_map(|&value| bytes(kind, value)).map(|byte| byte.to_string()).collect();
                let (array, count) = (format!("a{position}"), elements.len());
                before.push(format!("struct array{position}_{number} {array};"));
                before.push(format!("{array}.n_X = {count};"));
                before.push(format!("{array}.X = driver_copy((unsigned char const[]){{ {} }}, {});", contents.join(", "), contents.len()));
                after.push(format!("driver_show({array}.X, {});", contents.len()));
                arguments.push(array);
            }
            InputValue::Integer(value) => {
                let scalar = scalars.next().map_or("int", |scalar| scalar.name());
                // Through the unsigned type of most bits: every value has a literal there.
                let bits = arithmetic::wrap(IntegerType::U64, *value);
                arguments.push(format!("({scalar}){bits}ULL"));
            }
            InputValue::Single(_) | InputValue::Linked(_) => {}
        }
    }
    let lines = [before, vec![format!("{}({});", case.entry, arguments.join(", "))], after].concat();
    format!("static void {name}(void)\n{{\n    {}\n}}\n", lines.join("\n    "))
}

/// A value in memory.
pub fn bytes(kind: IntegerType, value: i128) -> Vec<u8> {
    let width = usize::try_from(arithmetic::width(kind) / 8).unwrap_or(0);
    value.to_le_bytes()[..width].to_vec()
}
