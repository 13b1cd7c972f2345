//! The typed tree between the syntax of C and the instructions: names are resolved, every conversion is written out, constants are folded.

use crate::lower::{
    assumptions::Assumption,
    types::{Bits, CType, Parameters, Records, Shape},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{FailKind, IntegerType, Operation};
use std::{collections::BTreeSet, ops::Range};

/// A local variable or parameter: position in [`Function::variables`].
pub(crate) type VariableId = usize;
/// An object of static storage: position in [`Unit::globals`].
pub(crate) type GlobalId = usize;
/// A function: position in [`Unit::functions`].
pub(crate) type FunctionId = usize;
/// A label of one function: position in [`Function::labels`].
pub(crate) type LabelId = usize;
/// A block of one function: position in [`Function::blocks`].
pub(crate) type BlockId = usize;

/// All that the entry function needs.
pub(crate) struct Unit {
    pub(crate) functions: Vec<Function>,
    /// Functions that pointers may point to.
    pub(crate) addressed: BTreeSet<FunctionId>,
    /// Where any value stands for one that C says more about.
    pub(crate) approximate: BTreeSet<usize>,
    /// Some pointer is made of a number.
    pub(crate) has_numbers: bool,
    /// What is assumed of the program.
    pub(crate) assumptions: BTreeSet<Assumption>,
    pub(crate) globals: Vec<Global>,
    pub(crate) entry: FunctionId,
    /// Known when the order of evaluation is settled.
    pub(crate) circles: Circles,
}

/// The circles of calls: sets of functions each of which may be called before an earlier call of it has returned.
#[derive(Default)]
pub(crate) struct Circles {
    /// Per function: the first one of its circle.
    pub(crate) first: Vec<Option<FunctionId>>,
    /// The functions that go on after a call on their circle.
    pub(crate) returning: BTreeSet<FunctionId>,
    /// The circles, by their first functions, on which no function goes on after a call, and each comes back with its value.
    pub(crate) ending: BTreeSet<FunctionId>,
}

impl Circles {
    /// The first function of the circle that a function is on.
    pub(crate) fn circle(&self, function: FunctionId) -> Option<FunctionId> {
        self.first.get(function).copied().flatten()
    }

    /// May the function be called before an earlier call of it has returned?
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        self.circle(function).is_some()
    }
}

pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: CType,
    pub(crate) parameters: Vec<VariableId>,
    pub(crate) variables: Vec<Variable>,
    /// The variables of each block, in the order of their declarations.
    pub(crate) blocks: Vec<Vec<VariableId>>,
    pub(crate) labels: Vec<Label>,
    /// The number of its `return` statements.
    pub(crate) returns: usize,
    pub(crate) body: Vec<Statement>,
    pub(crate) offset: usize,
    /// The offset of the closing brace.
    pub(crate) end: usize,
}

#[allow(clippy::struct_excessive_bools, reason = "each says one thing of the declaration")]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ctype: CType,
    pub(crate) offset: usize,
    /// Its address is taken, or it is an array that is indexed by more than constants: it lives in memory.
    pub(crate) addressed: bool,
    /// It is written after its initialisation.
    pub(crate) assigned: bool,
    /// A `goto` of its block passes its declaration.
    pub(crate) skipped: bool,
    /// A `goto` leads back over its declaration, in its block.
    pub(crate) repeated: bool,
    /// It points to memory that ends with its block, an array of variable length, or is NULL before that begins.
    pub(crate) owns_array: bool,
    /// It keeps a part of one expression, and is read behind that alone: no order of the two is left open.
    pub(crate) keeps_part: bool,
}

/// A label, the blocks around it, outermost first, and where it stands.
pub(crate) struct Label {
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) offset: usize,
}

/// An object of static storage duration.
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) ctype: CType,
    pub(crate) offset: usize,
    pub(crate) addressed: bool,
    /// What is not mentioned is zero.
    pub(crate) initial: Vec<Item>,
    /// String literals are read-only whatever their type says (C11 6.4.5p7).
    pub(crate) literal: bool,
}

/// One initialised part of an object.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Bytes from the start of the object.
    pub(crate) offset: u64,
    /// A scalar of the part's type, or a whole record.
    pub(crate) value: Expression,
    /// Of bytes there, only while an initialiser is read.
    pub(crate) bits: Option<Bits>,
    /// The bits of the element of a range that it is a part of, where that is one value; only while an initialiser is read.
    pub(crate) whole: Option<Range<u64>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) ctype: CType,
    /// In the text given to the parser.
    pub(crate) offset: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// An integer in the range of its type, or the null pointer.
    Constant(i128),
    /// The value of an object.
    Read(Box<Place>),
    /// A pointer to an object.
    AddressOf(Box<Place>),
    /// The value converted to the expression's type: between integers, between pointers, to `_Bool`, or to `void`.
    Convert(Box<Expression>),
    /// Both sides have the expression's type, but for the right side of a shift.
    Binary(Operation, Box<Expression>, Box<Expression>),
    /// 0 or 1. Both sides are integers of one type, or pointers.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    /// A pointer moved by `index * scale` bytes.
    Advance {
        base: Box<Expression>,
        index: Box<Expression>,
        scale: i64,
        within: Option<Within>,
    },
    /// A pointer to an element of an array of `count` elements inside a struct: `scale` bytes each, behind the pointer to the first.
    Element {
        first: Box<Expression>,
        index: Box<Expression>,
        scale: i64,
        count: u64,
        within: Option<Within>,
    },
    /// The difference of two pointers, divided by the pointee's size.
    Distance {
        left: Box<Expression>,
        right: Box<Expression>,
        scale: u64,
    },
    Assign {
        place: Box<Place>,
        value: Box<Expression>,
    },
    /// Compound assignment, increment and decrement.
    Update {
        place: Box<Place>,
        change: Change,
        result: ResultOf,
    },
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Comma(Box<Expression>, Box<Expression>),
    /// A step, then the rest, whose value remains: as with a comma, but C has no sequence point there.
    Then(Box<Expression>, Box<Expression>),
    Call {
        function: FunctionId,
        arguments: Vec<Expression>,
    },
    /// A pointer to a function of the unit.
    Function(FunctionId),
    /// A call through a pointer.
    CallThrough {
        pointer: Box<Expression>,
        arguments: Vec<Expression>,
    },
    Builtin(Builtin),
    /// One of two effects, of which C leaves open which.
    Either(Box<Expression>, Box<Expression>),
    /// A GNU statement expression: the statements, then its value, inside one block.
    Statements {
        block: BlockId,
        statements: Vec<Statement>,
        value: Option<Box<Expression>>,
    },
}

/// The array behind a pointer is part of another object: an index that is not from 0 on below this fails (C11 6.5.6p8), behind both operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Within(pub(crate) u64);

/// How an object is changed in place.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Computed in the type `kind` to which the operand is converted; the right side of a shift keeps its own.
    Integer {
        operation: Operation,
        operand: Box<Expression>,
        kind: IntegerType,
    },
    Pointer {
        index: Box<Expression>,
        scale: i64,
    },
}

/// Which value a change in place gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultOf {
    /// `i++`
    Before,
    /// `++i`, `i += 1`
    After,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// An object, or a part of one, that can be read, written or pointed to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) base: Base,
    /// Bytes from the base.
    pub(crate) displacement: i64,
    pub(crate) ctype: CType,
    pub(crate) offset: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Base {
    Variable(VariableId),
    Global(GlobalId),
    Pointer(Box<Expression>),
    /// A record that is no object, such as a call's result.
    Value(Box<Expression>),
    /// A compound literal: the variable is initialised each time.
    Literal(VariableId, Vec<Item>),
}

/// What the front end knows without a definition.
#[derive(Clone, Debug)]
pub(crate) enum Builtin {
    Assume(Box<Expression>),
    Assert(Box<Expression>),
    Ignore,
    Halt(Vec<Expression>),
    Fail(FailKind),
    Undefined(UndefinedBehavior),
    /// Any value of the expression's type.
    Arbitrary,
    /// What C leaves open in an object that is initialised: any integer, or no pointer at all.
    Unspecified,
    /// The pointer from which pointers of numbers are counted.
    Numbers,
    /// `malloc`: how many bytes.
    Allocate(Box<Expression>),
    /// `calloc`: how many elements, of how many bytes.
    AllocateZero(Box<Expression>, Box<Expression>),
    Free(Box<Expression>),
    /// What models of reallocation do: what is in the second allocation goes to the first one, of so many bytes, and the second one ends.
    Replace {
        to: Box<Expression>,
        from: Box<Expression>,
        bytes: Box<Expression>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) offset: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Expression(Expression),
    /// The variable comes into being, here without a value.
    Declare(VariableId),
    /// The variable comes into being with a value; what the items do not mention is zero.
    Initialise(VariableId, Vec<Item>),
    Block(BlockId, Vec<Statement>),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// `while`, and `for` with its step; `continue` goes to the step.
    Loop {
        condition: Option<Expression>,
        step: Option<Expression>,
        body: Vec<Statement>,
    },
    DoWhile {
        condition: Expression,
        body: Vec<Statement>,
    },
    Switch {
        value: Expression,
        cases: Vec<Case>,
        default: Option<LabelId>,
        body: Vec<Statement>,
    },
    Label(LabelId),
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<Expression>),
}

/// `case low ... high`
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) label: LabelId,
}

impl Place {
    /// A pointer to it, of bits to the bytes that they are in.
    pub(crate) fn address(&self) -> Expression {
        let mut place = self.clone();
        place.ctype.bits = None;
        let ctype = place.ctype.unqualified().pointer_to();
        Expression::new(ExpressionKind::AddressOf(Box::new(place)), ctype, self.offset)
    }
}

impl Item {
    /// A part at an offset.
    pub(crate) fn new(offset: u64, value: Expression) -> Self {
        Self { offset, value, bits: None, whole: None }
    }
}

impl Global {
    /// Does it lie where nothing can write? Not if parts of it are set by the program's first instructions.
    pub(crate) fn is_read_only(&self) -> bool {
        let is_constant = self.ctype.constant || self.ctype.base_element().constant;
        let is_set = |item: &Item| item.value.is_unspecified() || item.value.is_inside();
        self.literal || is_constant && !self.initial.iter().any(is_set)
    }
}

impl Function {
    /// Is 0 returned where the end of the body is reached, as from `main` (C11 5.1.2.2.3p1)?
    pub(crate) fn ends_with_zero(&self) -> bool {
        self.name == "main" && self.result.as_integer() == Some(IntegerType::I32)
    }

    /// May a call through a pointer of this type, with these arguments and this result, be one of this function (C11 6.5.2.2p6, p9)?
    pub(crate) fn accepts(&self, records: &Records, pointer: &CType, arguments: &[Expression], result: &CType) -> bool {
        let given: Vec<&CType> = match pointer.pointee().map(|called| &called.shape) {
            Some(Shape::Function(signature)) => match &signature.parameters {
                Parameters::Exact(types) | Parameters::Variadic(types) => types.iter().collect(),
                Parameters::Unknown => arguments.iter().map(|argument| &argument.ctype).collect(),
            },
            _ => return false,
        };
        given.len() == self.parameters.len()
            && records.passes(&self.result, result)
            && self.parameter_types().zip(given).all(|(taken, given)| records.passes(given, taken))
    }

    /// Has it a parameter of another type than the argument in its place, which is no matter of pointers? Without a prototype nothing converts that.
    pub(crate) fn would_convert(&self, arguments: &[Expression]) -> bool {
        let is_alike = |(parameter, argument): (&CType, &Expression)| {
            parameter.is_pointer() && argument.ctype.is_pointer() || parameter.shape == argument.ctype.shape
        };
        self.parameters.len() == arguments.len() && !self.parameter_types().zip(arguments).all(is_alike)
    }

    fn parameter_types(&self) -> impl Iterator<Item = &CType> {
        self.parameters.iter().map(|parameter| &self.variables[*parameter].ctype)
    }
}

impl Expression {
    pub(crate) fn new(kind: ExpressionKind, ctype: CType, offset: usize) -> Self {
        Self { kind, ctype, offset }
    }

    pub(crate) fn constant(value: i128, ctype: CType, offset: usize) -> Self {
        Self::new(ExpressionKind::Constant(value), ctype, offset)
    }

    /// How many calls of such functions there are that give the value as it is: if it is what a function returns, nothing is left to do behind them.
    pub(crate) fn tail_calls(&self, of: &dyn Fn(FunctionId) -> bool) -> usize {
        match &self.kind {
            ExpressionKind::Call { function, .. } => usize::from(of(*function)),
            ExpressionKind::Comma(_, right) | ExpressionKind::Then(_, right) => right.tail_calls(of),
            ExpressionKind::Conditional(_, then, otherwise) => then.tail_calls(of) + otherwise.tail_calls(of),
            ExpressionKind::Convert(inner) if self.ctype.is_void() => inner.tail_calls(of),
            _ => 0,
        }
    }

    /// The value, if it is an integer constant.
    pub(crate) fn as_constant(&self) -> Option<i128> {
        match self.kind {
            ExpressionKind::Constant(value) if !self.ctype.is_pointer() => Some(value),
            _ => None,
        }
    }

    /// Is it what C leaves open in an object that is initialised, or bits of that beside others?
    pub(crate) fn is_unspecified(&self) -> bool {
        match &self.kind {
            ExpressionKind::Builtin(Builtin::Unspecified) => true,
            ExpressionKind::Convert(inner) => inner.is_unspecified(),
            ExpressionKind::Binary(_, left, right) => left.is_unspecified() || right.is_unspecified(),
            _ => false,
        }
    }

    /// Is it set by the program's first instructions, where it initialises a static object: what C leaves open, or a number in a pointer's cell?
    pub(crate) fn is_set_first(&self) -> bool {
        let is_number = |base: &Self| matches!(base.kind, ExpressionKind::Builtin(Builtin::Numbers));
        self.is_unspecified() || matches!(&self.kind, ExpressionKind::Advance { base, .. } if is_number(base))
    }

    /// Is it a pointer into the middle of an object, as initialisers of static ones have them (C11 6.6p9)?
    pub(crate) fn is_inside(&self) -> bool {
        match &self.kind {
            ExpressionKind::Convert(inner) => inner.is_inside(),
            ExpressionKind::AddressOf(place) => place.displacement != 0,
            ExpressionKind::Advance { .. } => true,
            _ => false,
        }
    }

    /// Is it a null pointer constant (C11 6.3.2.3p3), or the null pointer itself?
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, ExpressionKind::Constant(0))
    }
}

impl Comparison {
    pub(crate) const fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}
