//! Random C functions whose outcome C fixes: the state of the generator, and the frame of a case.
//!
//! Everything is initialised, nothing depends on an order of evaluation, loops have small bounds. Now and then a guard is left out, so
//! that a division, a shift or an access may be undefined; the sanitizers then say how.

use goatherd_certificates::program::IntegerType;
use goatherd_interpreter::{InputValue, Random, arithmetic};

/// A kind of integer, as C writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    name: &'static str,
    kind: IntegerType,
}

impl Scalar {
    /// All kinds.
    pub const ALL: [Scalar; 13] = [
        Scalar { name: "char", kind: IntegerType::I8 },
        Scalar { name: "signed char", kind: IntegerType::I8 },
        Scalar { name: "unsigned char", kind: IntegerType::U8 },
        Scalar { name: "short", kind: IntegerType::I16 },
        Scalar { name: "unsigned short", kind: IntegerType::U16 },
        Scalar { name: "int", kind: IntegerType::I32 },
        Scalar { name: "int", kind: IntegerType::I32 },
        Scalar { name: "unsigned", kind: IntegerType::U32 },
        Scalar { name: "long", kind: IntegerType::I64 },
        Scalar { name: "unsigned long", kind: IntegerType::U64 },
        Scalar { name: "long long", kind: IntegerType::I64 },
        Scalar { name: "unsigned long long", kind: IntegerType::U64 },
        Scalar { name: "_Bool", kind: IntegerType::Bool },
    ];

    /// As C writes it.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// As the program form writes it.
    pub fn kind(self) -> IntegerType {
        self.kind
    }
}

/// A variable that may be read and written.
#[derive(Clone, Debug)]
pub struct Variable {
    /// An expression for it.
    pub name: String,
}

/// An array of which every element may be read.
#[derive(Clone, Debug)]
pub struct Array {
    /// An expression for its start.
    pub name: String,
    /// The element type.
    pub element: Scalar,
    /// The number of elements, a power of two.
    pub length: u64,
    /// May it be written?
    pub writable: Writable,
}

/// May an array be written?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writable {
    /// Yes.
    Yes,
    /// It is const.
    No,
}

/// A function of integers to an integer, without side effects.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many parameters.
    pub parameters: usize,
}

/// A function of a pointer to the start of an array and a number of its elements.
#[derive(Clone, Debug)]
pub struct PointerFunction {
    /// Its name.
    pub name: String,
    /// The array's element type.
    pub element: Scalar,
}

/// A function of an integer and a number of calls of itself.
#[derive(Clone, Debug)]
pub struct Recursion {
    /// Its name.
    pub name: String,
}

/// A generated function, with inputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The C source: types, tables, helpers and the entry function.
    pub source: String,
    /// The entry function's name.
    pub entry: String,
    /// The entry function's array parameters are structs; their element types, the first that of the output.
    pub elements: Vec<Scalar>,
    /// The types of the integer parameters that follow.
    pub scalars: Vec<Scalar>,
    /// Some inputs of the entry function.
    pub inputs: Vec<Vec<InputValue>>,
}

/// How many elements the output has.
pub const OUTPUTS: usize = 4;

/// Makes cases.
pub struct Generator {
    pub(super) random: Random,
    pub(super) number: u64,
    pub(super) lines: Vec<String>,
    pub(super) variables: Vec<Variable>,
    pub(super) arrays: Vec<Array>,
    pub(super) functions: Vec<Function>,
    pub(super) pointer_functions: Vec<PointerFunction>,
    pub(super) recursions: Vec<Recursion>,
    pub(super) constants: Vec<String>,
    pub(super) depth: usize,
    pub(super) loops: usize,
    names: usize,
}

/// The case with this number, of this seed.
pub fn generate(seed: u64, number: u64) -> Case {
    let mut random = Random::new(seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    random.next_bits();
    let mut generator = Generator {
        random,
        number,
        lines: Vec::new(),
        variables: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        pointer_functions: Vec::new(),
        recursions: Vec::new(),
        constants: Vec::new(),
        depth: 0,
        loops: 0,
        names: 0,
    };
    generator.case()
}

impl Generator {
    /// One of these.
    pub fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        let position = self.random.below(u64::try_from(among.len()).unwrap_or(1));
        among[usize::try_from(position).unwrap_or(0)].clone()
    }

    /// Is a guard to be left out here?
    pub fn is_reckless(&mut self) -> bool {
        self.random.below(60) == 0
    }

    /// A name that the case does not use yet.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}_{}", self.names, self.number)
    }

    /// Adds a line at the present depth.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.depth), line.as_ref()));
    }

    /// Adds a block: `head {`, what `body` adds, `}`. What it declares is forgotten after it.
    pub fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        self.line(format!("{head} {{"));
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.line("}");
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
    }

    /// An enumeration constant of the case, or a number.
    pub fn constant(&mut self) -> String {
        let constants = self.constants.clone();
        if constants.is_empty() { "7".to_owned() } else { self.pick(&constants) }
    }

    fn case(&mut self) -> Case {
        let number = self.number;
        self.enumeration();
        self.table();
        for _ in 0..self.random.below(3) {
            self.helper();
        }
        for _ in 0..self.random.below(3) {
            match self.random.below(3) {
                0 => self.global(),
                1 => self.pointer_helper(),
                _ => self.recursive_helper(),
            }
        }
        let elements = vec![Scalar { name: "unsigned long", kind: IntegerType::U64 }, self.scalar(), self.scalar()];
        let mut parameters = Vec::new();
        for (position, element) in elements.iter().enumerate() {
            let tag = format!("array{position}_{number}");
            let length = self.pick(&["int", "unsigned", "unsigned long", "short"]);
            self.line(format!("struct {tag} {{ {} *X; {length} n_X; }};", element.name));
            parameters.push(format!("struct {tag} a{position}"));
        }
        let scalars: Vec<Scalar> = (0..self.random.below(4)).map(|_| self.scalar()).collect();
        for (position, scalar) in scalars.iter().enumerate() {
            parameters.push(format!("{} s{position}", scalar.name));
        }
        let entry = format!("test_{number}");
        self.block(&format!("void {entry}({})\n", parameters.join(", ")), |generator| generator.body(&elements, scalars.len()));
        let inputs = (0..3).map(|_| self.input(&elements, &scalars)).collect();
        Case { source: self.lines.join("\n") + "\n", entry, elements, scalars, inputs }
    }

    fn enumeration(&mut self) {
        if self.random.below(3) != 0 {
            return;
        }
        let names = [self.fresh("E"), self.fresh("E"), self.fresh("E")];
        let value = self.pick(&["5", "-3", "'x'", "1 << 4"]);
        self.line(format!("enum {{ {}, {} = {value}, {} }};", names[0], names[1], names[2]));
        self.constants.extend(names);
    }

    fn table(&mut self) {
        if self.random.below(2) == 0 {
            return;
        }
        let (name, element) = (self.fresh("table"), self.scalar());
        let values: Vec<String> = (0..8).map(|_| self.literal()).collect();
        self.line(format!("static const {} {name}[8] = {{ {} }};", element.name, values.join(", ")));
        self.arrays.push(Array { name, element, length: 8, writable: Writable::No });
    }

    fn helper(&mut self) {
        let name = self.fresh("helper");
        let (result, left, right) = (self.scalar(), self.scalar(), self.scalar());
        self.block(&format!("static {} {name}({} x, {} y)\n", result.name, left.name, right.name), |generator| {
            generator.variables.extend(["x", "y"].map(|name| Variable { name: name.to_owned() }));
            match generator.random.below(3) {
                0 => {
                    let condition = generator.condition();
                    let value = generator.expression(2);
                    generator.line(format!("if ({condition}) return {value};"));
                }
                1 => {
                    let value = generator.expression(1);
                    generator.line(format!("for (int i = 0; i < 3; i++) {{ x += {value}; if (x == y) break; y ^= i; }}"));
                }
                _ => {}
            }
            let value = generator.expression(3);
            generator.line(format!("return {value};"));
        });
        self.functions.push(Function { name, parameters: 2 });
    }

    fn body(&mut self, elements: &[Scalar], scalars: usize) {
        self.line("unsigned long h = 1;");
        self.variables.extend((0..scalars).map(|position| Variable { name: format!("s{position}") }));
        // The second array always has eight elements; the third is only walked by its length.
        self.arrays.push(Array { name: "a1.X".to_owned(), element: elements[1], length: 8, writable: Writable::Yes });
        for _ in 0..3 + self.random.below(6) {
            self.statement();
        }
        self.line("a0.X[0] = h;");
        for output in 1..OUTPUTS {
            let value = self.expression(2);
            self.line(format!("a0.X[{output}] = {value};"));
        }
    }

    fn input(&mut self, elements: &[Scalar], scalars: &[Scalar]) -> Vec<InputValue> {
        let mut values = Vec::new();
        for (position, element) in elements.iter().enumerate() {
            let length = match position {
                0 => OUTPUTS,
                1 => 8,
                _ => usize::try_from(self.random.below(6)).unwrap_or(0),
            };
            let value = |generator: &mut Self| if position == 0 { 0 } else { generator.random.value(element.kind) };
            values.push(InputValue::Array((0..length).map(|_| vec![value(self)]).collect()));
        }
        for scalar in scalars {
            let value = self.random.value(scalar.kind);
            values.push(InputValue::Integer(value.clamp(arithmetic::minimum(scalar.kind), arithmetic::maximum(scalar.kind))));
        }
        values
    }
}
