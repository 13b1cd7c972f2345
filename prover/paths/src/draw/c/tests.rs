//! The file of tests.

use super::{
    lowered,
    original::{self, build},
    prelude::{MAIN, PRELUDE},
    subject::{Subject, Test, Unwritable},
};
use goatherd_certificates::program::{ArrayInput, Contents, Field, Input, Instruction, ObjectId, Program, RegisterId, Type};
use goatherd_checker::arithmetic::width;
use goatherd_counterexample::replay::{
    MAIN_OF_THE_SOURCE, element, kind_of, linked, literal, memory,
    scan::{Scan, declared_name},
};
use goatherd_interpreter::{InputValue, LinkedNode};

/// Writes the tests.
pub fn write(subject: Subject<'_>, tests: &[Test<'_>]) -> Result<String, Unwritable> {
    let program = subject.program;
    let holds_pointers = program.objects.iter().any(|object| match &object.origin {
        goatherd_certificates::program::Origin::Static { contents, .. } => {
            contents.iter().any(|contents| matches!(contents, Contents::Pointers(_)))
        }
        _ => false,
    });
    if holds_pointers {
        return Err(Unwritable::Memory);
    }
    if subject.parameters.arithmetic == goatherd_certificates::certificate::Arithmetic::Unbounded {
        return Err(Unwritable::Unbounded);
    }
    let scan = subject.source.map(|source| Scan::new(source.text));
    if let (Some(source), Some(scan)) = (&subject.source, &scan) {
        original::check(source, scan)?;
    }
    let original = match &scan {
        Some(scan) => Some(Original::new(program, scan)?),
        None => None,
    };
    let mut emission = Emission { program, lines: Vec::new() };
    emission.line(format!("/* Drawn paths of {}, and inputs that drive them.", program.entry));
    emission.line(format!("   Build and run:  {} */", build(subject.source.as_ref())));
    emission.line(PRELUDE);
    if let (Some(source), Some(scan)) = (subject.source, &scan) {
        emission.lines.extend(original::included(program, source, scan)?);
    }
    emission.lines.extend(lowered::definition(program, subject.parameters));
    for test in tests {
        emission.test(test, original.as_ref())?;
    }
    emission.line("\nstatic struct { void (*run)(void); int number; } const goatherd_tests[] = {");
    for test in tests {
        emission.line(format!("    {{ goatherd_test_{number}, {number} }},", number = test.number));
    }
    emission.line("    { 0, 0 }\n};");
    emission.line(format!("static unsigned long const goatherd_count = {};", tests.len()));
    emission.line(MAIN);
    Ok(emission.lines.join("\n"))
}

/// How the original function is called.
struct Original<'a> {
    parameters: Vec<&'a str>,
    names: Vec<&'a str>,
    is_main: bool,
}

impl<'a> Original<'a> {
    fn new(program: &Program, scan: &Scan<'a>) -> Result<Self, Unwritable> {
        let parameters = scan.parameters(&program.entry).ok_or(Unwritable::Entry)?;
        let names = parameters.iter().map(|parameter| declared_name(parameter).unwrap_or_default()).collect();
        Ok(Self { parameters, names, is_main: program.entry == "main" })
    }

    fn call(&self, entry: &str, arguments: &[String]) -> String {
        let name = if self.is_main { MAIN_OF_THE_SOURCE } else { entry };
        format!("{name}({})", arguments.join(", "))
    }
}

struct Emission<'a> {
    program: &'a Program,
    lines: Vec<String>,
}

/// An input in memory: the variable that points to it, and its size in bytes.
struct Block {
    variable: String,
    size: usize,
}

/// A linked input: the array of its nodes, whose names begin so too, and their declarations.
struct Heap {
    variable: String,
    declarations: Vec<ObjectId>,
}

impl Emission<'_> {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn test(&mut self, test: &Test<'_>, original: Option<&Original<'_>>) -> Result<(), Unwritable> {
        let drive = test.drive;
        self.line(format!("\nstatic void goatherd_test_{}(void)\n{{", test.number));
        let path: Vec<String> = test.path.iter().map(|location| location.0.to_string()).collect();
        self.line(format!("    static unsigned const goatherd_test_path[] = {{ {} }};", path.join(", ")));
        let list = |values: &[i128]| values.iter().chain([&0]).map(ToString::to_string).map(|value| value + "ULL").collect::<Vec<_>>();
        self.line(format!("    static unsigned long long const goatherd_test_values[] = {{ {} }};", signed(&drive.values)));
        let allocations = list(&drive.allocations).join(", ");
        self.line(format!("    static unsigned char const goatherd_test_allocations[] = {{ {allocations} }};"));
        let length = test.path.len();
        let (values, calls) = (drive.values.len(), drive.allocations.len());
        let answers = format!("goatherd_answer(goatherd_test_values, {values}, goatherd_test_allocations, {calls});");
        let begin = format!("    goatherd_begin(goatherd_test_path, {length});\n    {answers}");
        let lowered = self.inputs(&drive.inputs, "goatherd_input");
        self.line(&*begin);
        let arguments: Vec<&str> = lowered.arguments.iter().map(|(_, expression)| expression.as_str()).collect();
        self.line(format!("    {}({});", lowered::NAME, arguments.join(", ")));
        self.line("    goatherd_end();");
        if let Some(original) = original {
            self.original(test, original, &begin, &lowered)?;
        }
        self.line("}");
        Ok(())
    }

    fn original(&mut self, test: &Test<'_>, original: &Original<'_>, begin: &str, lowered: &Built) -> Result<(), Unwritable> {
        let built = self.inputs(&test.drive.inputs, "goatherd_original");
        self.line(format!("    goatherd_fails = goatherd_has_failed;\n    goatherd_returns = {};", i32::from(test.returned.is_some())));
        self.line(begin);
        let arguments = self.arguments(original, &built)?;
        let call = original.call(&self.program.entry, &arguments);
        match test.returned {
            Some(returned) => {
                let returned = literal(goatherd_certificates::program::IntegerType::I64, returned);
                self.line(format!(
                    "    if ((long long){call} != {returned})\n        goatherd_failed(\"the function returns another value\");"
                ));
            }
            None => self.line(format!("    (void){call};")),
        }
        self.line("    if (goatherd_fails)\n        goatherd_failed(\"the function does not fail\");");
        let frees = self.program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Free { .. }));
        if !frees {
            self.compare(lowered, &built);
        }
        Ok(())
    }

    /// An argument for each of the original function's parameters; structs that hold several inputs are declared first, by names that are not the program's.
    fn arguments(&mut self, original: &Original<'_>, built: &Built) -> Result<Vec<String>, Unwritable> {
        // Arguments of `main` are no inputs, and hold nothing.
        let mut arguments = vec![original.is_main.then(|| "0".to_owned()); original.parameters.len()];
        let mut members = vec![Vec::new(); original.parameters.len()];
        for (register, expression) in &built.arguments {
            let name = &self.program.registers[register.index()].name;
            let (parameter, member) = name.split_once('.').map_or((name.as_str(), None), |(parameter, member)| (parameter, Some(member)));
            let position = original.names.iter().position(|name| *name == parameter);
            let position = position.ok_or_else(|| Unwritable::Input(name.clone()))?;
            match member {
                None => arguments[position] = Some(expression.clone()),
                Some(member) => members[position].push(format!(".{member} = {expression}")),
            }
        }
        for (position, members) in members.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            let (declaration, name) = (original.parameters[position], original.names[position]);
            let kind = declaration.strip_suffix(name).ok_or_else(|| Unwritable::Input(name.to_owned()))?;
            // With an initialiser, since the struct or its members may be const.
            self.line(format!("    {kind}goatherd_argument_{position} = {{ {} }};", members.join(", ")));
            arguments[position] = Some(format!("goatherd_argument_{position}"));
        }
        let named = arguments.into_iter().zip(&original.names);
        named.map(|(argument, name)| argument.ok_or_else(|| Unwritable::Input((*name).to_owned()))).collect()
    }

    /// Both runs leave the same behind in the memory of the inputs.
    fn compare(&mut self, lowered: &Built, built: &Built) {
        let mut differ = Vec::new();
        for (left, right) in lowered.blocks.iter().zip(&built.blocks) {
            differ.push(format!("__builtin_memcmp({}, {}, {})", left.variable, right.variable, left.size));
        }
        for (left, right) in lowered.heaps.iter().zip(&built.heaps) {
            for (place, declaration) in left.declarations.iter().enumerate() {
                let layout = &self.program.layouts[self.program.objects[declaration.index()].layout.index()];
                for Field { offset, kind, .. } in &layout.fields {
                    let (one, other) = (format!("{}_{place} + {offset}", left.variable), format!("{}_{place} + {offset}", right.variable));
                    differ.push(match kind {
                        Type::Integer(kind) => format!("__builtin_memcmp({one}, {other}, {})", width(*kind) / 8),
                        Type::Pointer => format!(
                            "goatherd_place(goatherd_pointer({one}), {}) != goatherd_place(goatherd_pointer({other}), {})",
                            left.variable, right.variable
                        ),
                    });
                }
            }
        }
        for condition in differ {
            self.line(format!("    if ({condition})"));
            self.line("        goatherd_failed(\"the function leaves other contents behind\");");
        }
    }

    /// Builds the inputs; an expression for each of their registers.
    fn inputs(&mut self, values: &[InputValue], prefix: &str) -> Built {
        let mut built = Built { arguments: Vec::new(), blocks: Vec::new(), heaps: Vec::new() };
        for (position, (input, value)) in self.program.inputs.iter().zip(values).enumerate() {
            let variable = format!("{prefix}_{position}");
            match (input, value) {
                (Input::Integer { register }, InputValue::Integer(value)) => {
                    built.arguments.push((*register, literal(kind_of(self.program, *register), *value)));
                }
                (Input::Array(ArrayInput { pointer, length, object }), InputValue::Array(elements)) => {
                    let contents: Vec<u8> = elements.iter().flat_map(|integers| self.element(*object, integers)).collect();
                    self.block(&mut built, variable, &contents, *pointer);
                    built.arguments.push((*length, elements.len().to_string()));
                }
                (Input::Single { pointer, object }, InputValue::Single(Some(integers))) => {
                    let contents = self.element(*object, integers);
                    self.block(&mut built, variable, &contents, *pointer);
                }
                (Input::Single { pointer, .. }, _) => built.arguments.push((*pointer, "0".to_owned())),
                (Input::Linked { pointer, object }, InputValue::Linked(nodes)) => {
                    let root = linked(self.program, *object, nodes, &variable, &mut self.lines);
                    let names: Vec<String> = (0..nodes.len()).map(|place| format!("{variable}_{place}, ")).collect();
                    self.line(format!("    void *const {variable}[] = {{ {}0 }};", names.concat()));
                    let declarations = LinkedNode::declarations(self.program, *object, nodes).unwrap_or_default();
                    built.arguments.push((*pointer, root));
                    built.heaps.push(Heap { variable, declarations });
                }
                _ => {}
            }
        }
        built
    }

    fn block(&mut self, built: &mut Built, variable: String, contents: &[u8], pointer: RegisterId) {
        self.line(format!("    void *{variable} = {};", memory(contents)));
        built.arguments.push((pointer, variable.clone()));
        built.blocks.push(Block { variable, size: contents.len() });
    }

    fn element(&self, object: ObjectId, integers: &[i128]) -> Vec<u8> {
        element(&self.program.layouts[self.program.objects[object.index()].layout.index()], integers)
    }
}

/// The registers of the inputs, with the expressions of their values, and what of the inputs lies in memory.
struct Built {
    arguments: Vec<(RegisterId, String)>,
    blocks: Vec<Block>,
    heaps: Vec<Heap>,
}

/// Values of any type modulo 2^64.
fn signed(values: &[i128]) -> String {
    let words = values.iter().chain([&0]).map(|value| format!("{}ULL", value.rem_euclid(1 << 64)));
    words.collect::<Vec<_>>().join(", ")
}
