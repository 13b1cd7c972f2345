//! A counterexample as a C file: builds with the sanitizers and shows the failure when run.
//!
//! The file includes the user's source, or a copy of it, so that static functions and types are at hand; gives each input exactly the memory that it has in
//! the run, so that `AddressSanitizer` sees every access outside; replays nondeterministic values, failing allocations, the contents of
//! fresh memory, and what functions of the library choose; and calls the entry function.

mod models;
pub mod scan;

pub use models::DefinedModel;

use crate::search::Counterexample;
use goatherd_certificates::{
    certificate::SignedOverflow,
    program::{Allocate, ArrayInput, Fresh, Input, Instruction, IntegerType, Layout, Link, ObjectId, Program, RegisterId, Type},
};
use goatherd_interpreter::{InputValue, LinkedNode, Value, Write, arithmetic, links_of};
use scan::{Scan, declared_name};
use std::{collections::BTreeSet, fmt};

/// The user's source, as the C file refers to it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name with which it is included: relative to the C file, or absolute. None where it has no name that a compiler could read, as on
    /// standard input: then its text is copied.
    pub file: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
    /// Where the run fails and why, in one line, for the person who reads the file.
    pub failure: &'a str,
    /// The functions of the library that choose something in the run.
    pub models: &'a [DefinedModel<'a>],
}

/// Why a counterexample cannot be written as C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// The entry function's parameters were not found in the source.
    Entry,
    /// This input belongs to no parameter that was found.
    Input(String),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Entry => formatter.write_str("the entry function's parameters were not found in the source"),
            Unwritable::Input(name) => write!(formatter, "no parameter of the entry function was found for `{name}`"),
        }
    }
}

impl std::error::Error for Unwritable {}

/// The command that builds what [`write_c`] writes; locals that the run found holding zeros hold them there as well. Where signed overflow
/// fails, the sanitizer is to report it, which it does not where it wraps.
pub const fn compile(overflow: SignedOverflow) -> &'static str {
    match overflow {
        SignedOverflow::Wraps => "cc -g -fwrapv -fsanitize=address,undefined -ftrivial-auto-var-init=zero",
        SignedOverflow::Fails => "cc -g -fsanitize=address,undefined -ftrivial-auto-var-init=zero",
    }
}

/// Writes the counterexample of the program as a C file. Refuses sources in which the entry function's parameters are not found as written,
/// such as those that a macro makes.
pub fn write_c(
    program: &Program,
    overflow: SignedOverflow,
    source: &Source<'_>,
    counterexample: &Counterexample,
) -> Result<String, Unwritable> {
    let scan = Scan::new(source.text);
    let parameters = scan.parameters(&program.entry).ok_or(Unwritable::Entry)?;
    let mut emission = Emission { program, scan: &scan, source, counterexample, lines: Vec::new() };
    emission.file(compile(overflow), &parameters)?;
    Ok(emission.lines.join("\n") + "\n")
}

struct Emission<'a> {
    program: &'a Program,
    scan: &'a Scan<'a>,
    source: &'a Source<'a>,
    counterexample: &'a Counterexample,
    lines: Vec<String>,
}

/// The name of the source's own `main`.
pub const MAIN_OF_THE_SOURCE: &str = "goatherd_main_of_the_source";

/// What every file begins with. No header is included: the user's source may declare these names in its own way.
const PRELUDE: &str = r#"
void __asan_poison_memory_region(void const volatile *, unsigned long) __attribute__((weak));

/* Memory that is not freed is no failure. */
char const *__asan_default_options(void) { return "detect_leaks=0"; }

/* Memory of exactly this size and contents; every access to memory of size 0 is an error. */
static void *goatherd_memory(void const *contents, unsigned long size)
{
    void *memory = __builtin_malloc(size ? size : 1);
    if (!memory)
        __builtin_abort();
    if (size)
        __builtin_memcpy(memory, contents, size);
    else if (__asan_poison_memory_region)
        __asan_poison_memory_region(memory, 1);
    return memory;
}

static void goatherd_failed(char const *what)
{
    __builtin_printf("goatherd: %s\n", what);
    __builtin_exit(1);
}
"#;

/// Before `goatherd_malloc`, which is made of the run.
const FRESH: &str = r"
/* Fresh memory: the same element again and again. */
static void *goatherd_fresh(unsigned long size, unsigned char const *element, unsigned long step)
{
    if (!size)
        return goatherd_memory(0, 0);
    unsigned char *memory = __builtin_malloc(size);
    if (!memory)
        __builtin_abort();
    for (unsigned long i = 0; i < size; i++)
        memory[i] = element[i % step];
    return memory;
}
static unsigned long goatherd_allocation;";

/// After `goatherd_malloc`.
const CALLOC: &str = r"void *goatherd_calloc(unsigned long count, unsigned long size)
{
    unsigned long bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return 0;
    void *memory = goatherd_malloc(bytes);
    return memory && bytes ? __builtin_memset(memory, 0, bytes) : memory;
}
#define malloc goatherd_malloc
#define calloc goatherd_calloc";

impl Emission<'_> {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn file(&mut self, compile: &str, parameters: &[&str]) -> Result<(), Unwritable> {
        self.line(format!("/* {}", self.source.failure.replace("*/", "* /")));
        self.line(format!("   Build and run:  {compile} FILE.c && ./a.out */"));
        self.line(PRELUDE);
        self.values();
        self.allocations();
        self.models();
        self.harness();
        self.line(format!("\n#define main {MAIN_OF_THE_SOURCE}"));
        match self.source.file {
            Some(file) => self.line(format!("#include \"{file}\"")),
            None => self.line(format!("#line 1 \"<stdin>\"\n{}", self.source.text.trim_end())),
        }
        self.line("#undef main\n#undef malloc\n#undef calloc");
        let models = self.source.models.iter().map(|model| format!("#undef {}", model.name));
        self.lines.extend(models);
        self.line("");
        self.main(parameters)
    }

    /// What `__VERIFIER_nondet_T` gives, in order, to the source and to models.
    fn values(&mut self) {
        let havocs = self.counterexample.trace.iter().filter_map(|entry| {
            let Instruction::Havoc { target } = self.program.instructions.get(entry.location.index())? else { return None };
            match entry.write {
                Some(Write::Register { value: Value::Integer(value), .. }) => Some(literal(kind_of(self.program, *target), value)),
                _ => None,
            }
        });
        let values: Vec<String> = havocs.collect();
        let own = self.scan.identifiers().filter(|name| name.starts_with("__VERIFIER_nondet_") && self.scan.needs(name));
        let of_models = self.source.models.iter().flat_map(|model| models::values(*model));
        let functions: BTreeSet<String> = own.map(str::to_owned).chain(of_models).collect();
        if functions.is_empty() {
            return;
        }
        let rows = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
        self.line("\n/* The nondeterministic values, in order. The source may declare the functions that give them with any type. */");
        self.line(format!("static unsigned long long const goatherd_values[] = {{ {rows} }};"));
        self.line("static unsigned long long goatherd_value(void)\n{\n    static unsigned long next;");
        self.line(format!("    return next < {} ? goatherd_values[next++] : 0;\n}}", values.len()));
        for (number, name) in functions.iter().enumerate() {
            self.line(format!("unsigned long long goatherd_value_{number}(void) __asm__(\"{name}\");"));
            self.line(format!("unsigned long long goatherd_value_{number}(void) {{ return goatherd_value(); }}"));
        }
    }

    /// The functions of the library that choose something.
    fn models(&mut self) {
        if self.source.models.is_empty() {
            return;
        }
        self.line(models::PRELUDE);
        let definitions = self.source.models.iter().map(|model| models::definition(*model));
        self.lines.extend(definitions);
    }

    /// `malloc` and `calloc` that give what they gave in the run.
    fn allocations(&mut self) {
        let mut cases = Vec::new();
        let mut number = 0;
        let mut later = self.counterexample.choices.as_slice();
        for entry in &self.counterexample.trace {
            let (chosen, rest) = later.split_at(entry.choices.min(later.len()));
            later = rest;
            let Instruction::Allocate(Allocate { object, fresh, .. }) = &self.program.instructions[entry.location.index()] else {
                continue;
            };
            let layout = self.layout_of(*object);
            if matches!(entry.write, Some(Write::Register { value: Value::Null, .. })) {
                cases.push(format!("    case {number}: return 0;"));
            } else if *fresh == Fresh::Arbitrary {
                // Before the contents there may be the choice whether to fail.
                let contents = &chosen[chosen.len().saturating_sub(integer_fields(layout))..];
                let (element, size) = (bytes(&element(layout, contents)), layout.size);
                cases.push(format!("    case {number}: return goatherd_fresh(size, (unsigned char const[]){{ {element} }}, {size});"));
            }
            number += 1;
        }
        if number == 0 && self.source.models.is_empty() {
            return;
        }
        self.line(FRESH);
        self.line("void *goatherd_malloc(unsigned long size)\n{\n    switch (goatherd_allocation++) {");
        self.lines.extend(cases);
        self.line("    }\n    return goatherd_fresh(size, (unsigned char const[]){ 0 }, 1);\n}");
        self.line(CALLOC);
    }

    /// The harness functions that the source uses and does not define.
    fn harness(&mut self) {
        let definitions = [
            ("__VERIFIER_ignore", "void __VERIFIER_ignore(void) { __builtin_exit(3); }"),
            ("__VERIFIER_assume", "void __VERIFIER_assume(int condition) { if (!condition) __builtin_exit(3); }"),
            ("assume_abort_if_not", "void assume_abort_if_not(int condition) { if (!condition) __builtin_exit(3); }"),
            ("__VERIFIER_fail", "void __VERIFIER_fail(void) { goatherd_failed(\"__VERIFIER_fail\"); }"),
            ("__VERIFIER_error", "void __VERIFIER_error(void) { goatherd_failed(\"__VERIFIER_error\"); }"),
            ("reach_error", "void reach_error(void) { goatherd_failed(\"reach_error\"); }"),
            ("__VERIFIER_assert", "void __VERIFIER_assert(int condition) { if (!condition) goatherd_failed(\"false assertion\"); }"),
            ("abort", "void abort(void) __attribute__((noreturn));"),
            ("exit", "void exit(int) __attribute__((noreturn));"),
        ];
        self.line("");
        for (name, definition) in definitions {
            if self.scan.needs(name) {
                self.line(definition);
            }
        }
        if self.scan.needs("assert") && !self.scan.includes("assert.h") {
            self.line("#define assert(condition) ((condition) ? (void)0 : goatherd_failed(\"false assertion\"))");
        }
    }

    /// Builds the inputs and calls the entry function.
    fn main(&mut self, parameters: &[&str]) -> Result<(), Unwritable> {
        if self.program.entry == "main" {
            let arguments: Vec<String> = parameters.iter().map(|parameter| self.argument_of_main(parameter)).collect();
            self.call(Vec::new(), &format!("{MAIN_OF_THE_SOURCE}({})", arguments.join(", ")));
            return Ok(());
        }
        let mut body = Vec::new();
        let mut declared = vec![false; parameters.len()];
        let names: Vec<&str> = parameters.iter().map(|parameter| declared_name(parameter).unwrap_or_default()).collect();
        for (input, value) in self.program.inputs.iter().zip(&self.counterexample.inputs) {
            for (register, expression) in self.expressions(input, value, &mut body) {
                let name = &self.program.registers[register.index()].name;
                let parameter = name.split(['.', '-']).next().unwrap_or_default();
                let position = names.iter().position(|name| *name == parameter).ok_or_else(|| Unwritable::Input(name.clone()))?;
                let is_declared = std::mem::replace(&mut declared[position], true);
                if name == parameter {
                    body.push(format!("    {} = {expression};", parameters[position]));
                } else {
                    if !is_declared {
                        body.push(format!("    {};", parameters[position]));
                    }
                    body.push(format!("    {name} = {expression};"));
                }
            }
        }
        if let Some(missing) = declared.iter().position(|declared| !declared) {
            return Err(Unwritable::Input(names[missing].to_owned()));
        }
        self.call(body, &format!("{}({})", self.program.entry, names.join(", ")));
        Ok(())
    }

    /// How many arguments there are is an input; those that are none nobody looks at.
    fn argument_of_main(&self, parameter: &str) -> String {
        let mut inputs = self.program.inputs.iter().zip(&self.counterexample.inputs);
        let value = inputs.find_map(|(input, value)| match (input, value) {
            (Input::Integer { register }, InputValue::Integer(value)) => {
                let name = &self.program.registers[register.index()].name;
                (declared_name(parameter) == Some(name)).then(|| literal(kind_of(self.program, *register), *value))
            }
            _ => None,
        });
        value.unwrap_or_else(|| "0".to_owned())
    }

    fn call(&mut self, before: Vec<String>, call: &str) {
        self.line("int main(void)\n{");
        self.lines.extend(before);
        self.line(format!("    (void)({call});"));
        self.line("    __builtin_printf(\"goatherd: the sanitizers of this compiler do not report this failure\\n\");\n    return 1;\n}");
    }

    fn layout_of(&self, object: ObjectId) -> &Layout {
        &self.program.layouts[self.program.objects[object.index()].layout.index()]
    }

    /// The registers of an input, each with the C expression of its value; memory is built in `body` first.
    fn expressions(&self, input: &Input, value: &InputValue, body: &mut Vec<String>) -> Vec<(RegisterId, String)> {
        match (input, value) {
            (Input::Integer { register }, InputValue::Integer(value)) => {
                vec![(*register, literal(kind_of(self.program, *register), *value))]
            }
            (Input::Array(ArrayInput { pointer, length, object }), InputValue::Array(elements)) => {
                let layout = self.layout_of(*object);
                let contents: Vec<u8> = elements.iter().flat_map(|integers| element(layout, integers)).collect();
                vec![(*pointer, memory(&contents)), (*length, elements.len().to_string())]
            }
            (Input::Single { pointer, object }, InputValue::Single(Some(integers))) => {
                vec![(*pointer, memory(&element(self.layout_of(*object), integers)))]
            }
            (Input::Single { pointer, .. }, InputValue::Single(None)) => vec![(*pointer, "0".to_owned())],
            (Input::Linked { pointer, object }, InputValue::Linked(nodes)) => {
                let prefix = format!("goatherd_node_{}", pointer.0);
                vec![(*pointer, linked(self.program, *object, nodes, &prefix, body))]
            }
            _ => Vec::new(),
        }
    }
}

/// Emits the nodes, whose names begin so, then their pointers; gives the root.
pub fn linked(program: &Program, root: ObjectId, nodes: &[LinkedNode], prefix: &str, body: &mut Vec<String>) -> String {
    let name = |place: Option<usize>| place.map_or("0".to_owned(), |place| format!("{prefix}_{place}"));
    let layout_of = |object: ObjectId| &program.layouts[program.objects[object.index()].layout.index()];
    let declarations = LinkedNode::declarations(program, root, nodes).unwrap_or_default();
    let mut above = vec![None; nodes.len()];
    for (place, (node, declaration)) in nodes.iter().zip(&declarations).enumerate() {
        let contents = memory(&element(layout_of(*declaration), &node.integers));
        body.push(format!("    char *{} = {contents};", name(Some(place))));
        for child in node.children.iter().flatten() {
            above[*child] = Some(place);
        }
    }
    for (place, (node, declaration)) in nodes.iter().zip(&declarations).enumerate() {
        let mut children = node.children.iter();
        for (link, field) in links_of(program, *declaration).iter().zip(&layout_of(*declaration).fields) {
            let target = match link {
                Link::Child(_) | Link::Handed { .. } => children.next().copied().flatten(),
                Link::Up => above[place],
                Link::Null => None,
                Link::Data | Link::Range { .. } | Link::Other | Link::Same | Link::Any | Link::Ring { .. } | Link::Last(_) => continue,
            };
            // In a packed struct it need not be aligned.
            let (name, offset, target) = (name(Some(place)), field.offset, name(target));
            body.push(format!("    __builtin_memcpy({name} + {offset}, &(void *){{ {target} }}, sizeof(void *));"));
        }
    }
    format!("(void *){}", name((!nodes.is_empty()).then_some(0)))
}

/// An expression for memory with these contents.
pub fn memory(contents: &[u8]) -> String {
    if contents.is_empty() {
        return "goatherd_memory(0, 0)".to_owned();
    }
    format!("goatherd_memory((unsigned char const[]){{ {} }}, {})", bytes(contents), contents.len())
}

fn bytes(contents: &[u8]) -> String {
    contents.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// The bytes of one element with these integer fields; pointers and padding are filled with a recognisable pattern.
pub fn element(layout: &Layout, integers: &[i128]) -> Vec<u8> {
    let mut contents = vec![0xbe; usize::try_from(layout.size).unwrap_or(0)];
    let mut integers = integers.iter();
    for field in &layout.fields {
        let Type::Integer(kind) = field.kind else { continue };
        let Some(value) = integers.next() else { break };
        let width = usize::try_from(arithmetic::width(kind) / 8).unwrap_or(0);
        let start = usize::try_from(field.offset).unwrap_or(usize::MAX);
        for (place, byte) in contents.iter_mut().skip(start).take(width).zip(value.to_le_bytes()) {
            *place = byte;
        }
    }
    contents
}

fn integer_fields(layout: &Layout) -> usize {
    layout.fields.iter().filter(|field| field.kind != Type::Pointer).count()
}

/// The type of an integer register; that of an address for a pointer.
pub fn kind_of(program: &Program, register: RegisterId) -> IntegerType {
    match program.registers[register.index()].kind {
        Type::Integer(kind) => kind,
        Type::Pointer => IntegerType::U64,
    }
}

/// A C expression for a value of the type.
pub fn literal(kind: IntegerType, value: i128) -> String {
    if value == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if kind == IntegerType::U64 {
        format!("{value}ULL")
    } else if kind == IntegerType::I64 {
        format!("{value}LL")
    } else if kind == IntegerType::U32 {
        format!("{value}U")
    } else if value == i128::from(i32::MIN) {
        "(-2147483647 - 1)".to_owned()
    } else {
        value.to_string()
    }
}

/// The C type of `__VERIFIER_nondet_` with this suffix.
pub fn nondet_type(suffix: &str) -> Option<&'static str> {
    Some(match suffix {
        "bool" => "_Bool",
        "char" => "char",
        "schar" => "signed char",
        "uchar" | "unsigned_char" | "u8" => "unsigned char",
        "short" | "short_int" => "short",
        "ushort" | "unsigned_short" | "u16" => "unsigned short",
        "int" => "int",
        "uint" | "unsigned" | "unsigned_int" | "u32" => "unsigned",
        "long" | "long_int" | "ssize_t" | "ptrdiff_t" => "long",
        "ulong" | "unsigned_long" | "size_t" => "unsigned long",
        "longlong" | "long_long" => "long long",
        "ulonglong" | "unsigned_long_long" => "unsigned long long",
        _ => return None,
    })
}
