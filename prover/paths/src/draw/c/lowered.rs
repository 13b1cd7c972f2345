//! The lowered program as a C function that says which instructions it executes.

use goatherd_certificates::{
    certificate::{Allocation, Parameters},
    program::{
        Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, Input, Instruction, IntegerType, Location, ObjectId,
        Operand, Operation, Origin, PointerOperand, Program, RegisterId, Relation, Type,
    },
};
use goatherd_counterexample::replay::literal;

/// The function's name.
pub const NAME: &str = "goatherd_lowered";

/// The definition of the function. Its parameters are the registers of the inputs, in order.
pub fn definition(program: &Program, parameters: Parameters) -> Vec<String> {
    let mut emission = Emission { program, parameters, lines: Vec::new() };
    emission.function();
    emission.lines
}

/// The registers that the inputs set, in order.
pub fn input_registers(program: &Program) -> Vec<RegisterId> {
    let registers = program.inputs.iter().map(|input| match *input {
        Input::Integer { register } => vec![register],
        Input::Array(ArrayInput { pointer, length, .. }) => vec![pointer, length],
        Input::Single { pointer, .. } | Input::Linked { pointer, .. } => vec![pointer],
    });
    registers.flatten().collect()
}

/// The C type of an integer type.
pub const fn integer_name(kind: IntegerType) -> &'static str {
    match kind {
        IntegerType::I8 => "signed char",
        IntegerType::Bool | IntegerType::U8 => "unsigned char",
        IntegerType::I16 => "short",
        IntegerType::U16 => "unsigned short",
        IntegerType::I32 => "int",
        IntegerType::U32 => "unsigned",
        IntegerType::I64 => "long long",
        IntegerType::U64 => "unsigned long long",
    }
}

const fn name_of(kind: Type) -> &'static str {
    match kind {
        Type::Integer(kind) => integer_name(kind),
        Type::Pointer => "unsigned char *",
    }
}

struct Emission<'a> {
    program: &'a Program,
    parameters: Parameters,
    lines: Vec<String>,
}

impl Emission<'_> {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn kind(&self, register: RegisterId) -> Type {
        self.program.registers[register.index()].kind
    }

    fn function(&mut self) {
        let inputs = input_registers(self.program);
        let parameters: Vec<String> = inputs.iter().map(|register| format!("{} r{}", name_of(self.kind(*register)), register.0)).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        self.line(format!("\n/* The program as it was analysed: one label per instruction. */\nstatic void {NAME}({parameters})\n{{"));
        for (number, register) in (0..).map(RegisterId).zip(&self.program.registers) {
            if !inputs.contains(&number) {
                self.line(format!("    {} r{} = 0; /* {} */", name_of(register.kind), number.0, commented(&register.name)));
            }
        }
        for object in (0..).map(ObjectId).take(self.program.objects.len()) {
            self.object(object);
        }
        for (location, instruction) in (0..).map(Location).zip(&self.program.instructions) {
            let text = self.instruction(instruction);
            self.line(format!("l{}: goatherd_step({}); {text}", location.0, location.0));
        }
        self.line("}");
    }

    /// Memory for static and local objects, with the contents that they have at first.
    fn object(&mut self, id: ObjectId) {
        let object = &self.program.objects[id.index()];
        let layout = &self.program.layouts[object.layout.index()];
        let (count, contents) = match &object.origin {
            Origin::Static { count, contents, .. } => (*count, contents.as_slice()),
            Origin::Local { count } => (*count, &[][..]),
            Origin::Input | Origin::Heap | Origin::Node { .. } => return,
        };
        let bytes = count.saturating_mul(layout.size).max(1);
        self.line(format!("    unsigned char *o{} = goatherd_fresh({bytes}); /* {} */", id.0, commented(&object.name)));
        for (field, contents) in layout.fields.iter().zip(contents) {
            let kind = name_of(field.kind);
            let Contents::Table(table) = contents else { continue };
            let table = &self.program.tables[table.index()];
            let values: Vec<String> = table.values.iter().map(|value| literal(table.kind, *value)).collect();
            if values.is_empty() {
                continue;
            }
            self.line(format!("    for (unsigned long i = 0; i < {count}; i++)"));
            let row = values.join(", ");
            let (size, offset) = (layout.size, field.offset);
            self.line(format!(
                "        __builtin_memcpy(o{} + i * {size} + {offset}, &({kind} const[]){{ {row} }}[i], sizeof({kind}));",
                id.0
            ));
        }
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        match instruction {
            Instruction::Jump { target } => go(*target),
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                format!("if ({}) {} else {}", Self::condition(condition), go(*then), go(*otherwise))
            }
            // Nothing decides but the path.
            Instruction::Choose { then, otherwise } => format!(
                "if (goatherd_position < goatherd_length && goatherd_path[goatherd_position] == {}) {} else {}",
                then.0,
                go(*then),
                go(*otherwise)
            ),
            Instruction::Halt => "return;".to_owned(),
            Instruction::Fail { .. } => "goatherd_has_failed = 1; return;".to_owned(),
            Instruction::Ignore => "goatherd_failed(\"the run is ignored\");".to_owned(),
            Instruction::Assign { target, value } => {
                let kind = name_of(self.kind(*target));
                format!("r{} = ({kind})({});", target.0, self.operand(*value, *target))
            }
            Instruction::Compute(Compute { target, operation, left, right }) => self.compute(*target, *operation, [*left, *right]),
            Instruction::Havoc { target } => format!("r{} = ({})goatherd_value();", target.0, name_of(self.kind(*target))),
            // That it is not read is what the path shows.
            Instruction::Uninitialise { target } | Instruction::Null { target } => format!("r{} = 0;", target.0),
            Instruction::Copy { target, source } => format!("r{} = r{};", target.0, source.0),
            Instruction::Address { target, object } => format!("r{} = o{};", target.0, object.0),
            Instruction::Advance(Advance { target, base, index, scale }) => {
                format!("r{} = r{} + (long long){} * {scale}LL;", target.0, base.0, index_of(*index))
            }
            Instruction::Distance(Distance { target, left, right, scale }) => {
                format!("r{} = (r{} - r{}) / {scale}LL;", target.0, left.0, right.0)
            }
            Instruction::Load { target, address, offset } => {
                format!("__builtin_memcpy(&r{}, r{} + {offset}, sizeof r{});", target.0, address.0, target.0)
            }
            Instruction::Store { address, offset, source } => {
                format!("__builtin_memcpy(r{} + {offset}, &r{}, sizeof r{});", address.0, source.0, source.0)
            }
            Instruction::Allocate(Allocate { target, bytes, .. }) => {
                let fresh = format!("goatherd_fresh({})", index_of(*bytes));
                match self.parameters.allocation {
                    Allocation::MayFail => format!("r{} = goatherd_allocates() ? {fresh} : 0;", target.0),
                    Allocation::Succeeds => format!("r{} = {fresh};", target.0),
                }
            }
            Instruction::Free { pointer } => format!("__builtin_free(r{});", pointer.0),
            Instruction::Enter { object } => {
                let object = &self.program.objects[object.index()];
                let Origin::Local { count } = object.origin else { return ";".to_owned() };
                let bytes = count.saturating_mul(self.program.layouts[object.layout.index()].size);
                let number = self.program.objects.iter().position(|other| std::ptr::eq(other, object)).unwrap_or_default();
                format!("__builtin_memset(o{number}, 0, {bytes});")
            }
            Instruction::Leave { .. } | Instruction::CheckLeaks { .. } => ";".to_owned(),
        }
    }

    /// An operand of the type of the register.
    fn operand(&self, operand: Operand, like: RegisterId) -> String {
        match (operand, self.kind(like)) {
            (Operand::Register(register), _) => format!("r{}", register.0),
            (Operand::Constant(value), Type::Integer(kind)) if value >= 0 || !matches!(kind, IntegerType::U64) => {
                if i64::try_from(value).is_ok() { literal(IntegerType::I64, value) } else { literal(IntegerType::U64, value) }
            }
            (Operand::Constant(value), _) => literal(IntegerType::I64, value),
        }
    }

    fn compute(&self, target: RegisterId, operation: Operation, [left, right]: [Operand; 2]) -> String {
        let Type::Integer(kind) = self.kind(target) else { return ";".to_owned() };
        let name = integer_name(kind);
        let [left, right] = [left, right].map(|operand| self.operand(operand, target));
        let result = match operation {
            // Sums and products modulo 2^64 are those of every type.
            Operation::Add => format!("(unsigned long long){left} + (unsigned long long){right}"),
            Operation::Subtract => format!("(unsigned long long){left} - (unsigned long long){right}"),
            Operation::Multiply => format!("(unsigned long long){left} * (unsigned long long){right}"),
            Operation::ShiftLeft => format!("(unsigned long long){left} << {right}"),
            Operation::Divide => format!("({name}){left} / ({name}){right}"),
            Operation::Remainder => format!("({name}){left} % ({name}){right}"),
            Operation::And => format!("({name}){left} & ({name}){right}"),
            Operation::Or => format!("({name}){left} | ({name}){right}"),
            Operation::Xor => format!("({name}){left} ^ ({name}){right}"),
            Operation::ShiftRight => format!("({name}){left} >> {right}"),
        };
        format!("r{} = ({name})({result});", target.0)
    }

    /// Integers are compared as mathematical values.
    fn condition(condition: &Condition) -> String {
        match condition {
            Condition::Integers { relation, left, right } => {
                format!("(__int128){} {} (__int128){}", index_of(*left), symbol(*relation), index_of(*right))
            }
            Condition::Pointers { relation, left, right } => {
                let [left, right] = [left, right].map(|operand| match operand {
                    PointerOperand::Register(register) => format!("r{}", register.0),
                    PointerOperand::Null => "(unsigned char *)0".to_owned(),
                });
                format!("{left} {} {right}", symbol(*relation))
            }
        }
    }
}

fn go(target: Location) -> String {
    format!("goto l{};", target.0)
}

const fn symbol(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
    }
}

/// An operand of any integer type.
fn index_of(operand: Operand) -> String {
    match operand {
        Operand::Register(register) => format!("r{}", register.0),
        Operand::Constant(value) if i64::try_from(value).is_ok() => literal(IntegerType::I64, value),
        Operand::Constant(value) => literal(IntegerType::U64, value),
    }
}

/// A name inside a comment.
fn commented(name: &str) -> String {
    name.replace("*/", "* /")
}
