//! The program form: one flat instruction list, one instruction per edge of the transition system (`spec/program.md`).
//!
//! Calls are inlined, so a program is a single function; every register is a local of the entry function or of an inlined copy. Integers
//! are mathematical values inside the range of their type; every computation says to which type it wraps.

use crate::decode::{enumerations, identifiers, structures};
use alloc::{string::String, vec::Vec};

identifiers! {
    /// A register: position in [`Program::registers`].
    RegisterId,
    /// An element layout: position in [`Program::layouts`].
    LayoutId,
    /// An object: position in [`Program::objects`]. One declaration, allocation site or type of node is one object.
    ObjectId,
    /// A constant table: position in [`Program::tables`].
    TableId,
    /// A sort of trees: a declaration of nodes, with its number; above all declarations, position in [`Proof::sorts`](crate::derivation::Proof).
    SortId,
    /// A program location: position in [`Program::instructions`]; execution begins at 0.
    Location,
}

enumerations! {
    /// An integer type of C on LP64: its width in bits and its signedness (C11 6.2.5). `char` is `I8` or `U8` as the data model says.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub enum IntegerType {
        /// `_Bool`: 0 or 1, one byte.
        Bool,
        /// `signed char`
        I8,
        /// `unsigned char`
        U8,
        /// `short`
        I16,
        /// `unsigned short`
        U16,
        /// `int`
        I32,
        /// `unsigned`
        U32,
        /// `long`, `long long`, `ptrdiff_t`
        I64,
        /// `unsigned long`, `size_t`
        U64,
    }

    /// What a register or a field holds.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub enum Type {
        /// An integer of this type.
        Integer(IntegerType),
        /// A pointer, 8 bytes, to whatever it points to at run time.
        Pointer,
    }
}

structures! {
    /// A register and its type. The name is for people: the C variable that it stands for.
    pub struct Register {
        /// The variable's name in the source, or a name that the front end made.
        pub name: String,
        /// What it holds.
        pub kind: Type,
    }

    /// The elements of an array object: their size in bytes and their fields. A plain `int` array has one field at offset 0.
    pub struct Layout {
        /// The C type's name.
        pub name: String,
        /// Bytes from one element to the next; at least 1.
        pub size: u64,
        /// Fields by ascending offset, not overlapping, inside the size.
        pub fields: Vec<Field>,
    }

    /// A field of an element; members of nested structs stand beside the others.
    pub struct Field {
        /// The member's name, with dots for nested members; empty for a scalar element.
        pub name: String,
        /// Bytes from the start of the element.
        pub offset: u64,
        /// What it holds.
        pub kind: Type,
    }

    /// An object of memory: an array of elements of one layout.
    pub struct Object {
        /// The variable's or parameter's name, or a name for the allocation site.
        pub name: String,
        /// Its elements.
        pub layout: LayoutId,
        /// Where it comes from and how long it lives.
        pub origin: Origin,
    }
}

enumerations! {
    /// Where an object comes from.
    pub enum Origin {
        /// An input of the program; its bounds come from [`Program::inputs`].
        Input,
        /// Exists from the start with `count` elements and these contents: a global, a static local, a string literal.
        Static {
            /// Number of elements.
            count: u64,
            /// Initial contents, one per field of the layout.
            contents: Vec<Contents>,
            /// May it be written?
            access: Access,
        },
        /// An address-taken local or a local array of `count` elements, between [`Instruction::Enter`] and [`Instruction::Leave`].
        Local {
            /// Number of elements.
            count: u64,
        },
        /// Made by the one [`Instruction::Allocate`] that names it.
        Heap,
        /// A struct that is linked to others: a node of one element. Made by any [`Instruction::Allocate`] that names it, any number of
        /// times, and by linked inputs. All of one struct type share one declaration.
        Node {
            /// What each field of the layout is to the heap.
            links: Vec<Link>,
        },
    }

    /// What a field of a node is to the heap that the node belongs to. It says what inputs look like and which nodes may be folded into
    /// trees; the program may write any pointer to any pointer field.
    #[derive(Copy)]
    pub enum Link {
        /// An integer.
        Data,
        /// A pointer to a subtree: NULL, or the root of a tree of this sort.
        Child(SortId),
        /// A pointer to the node of which this one is a child; NULL at the root.
        Up,
        /// Any other pointer. In inputs it is uninitialised.
        Other,
        /// NULL.
        Null,
        /// A pointer to what the same field of the node above points to, of which this one is a child. In sorts of a proof only.
        Same,
        /// An integer between these, or one of them. In sorts of a proof only.
        Range {
            /// The least value.
            least: i128,
            /// The greatest value.
            greatest: i128,
        },
        /// Anything. In sorts of a proof only.
        Any,
        /// A pointer to a subtree, as a child is; what its `same` fields hold is handed to it by this node. In sorts of a proof only.
        Handed {
            /// NULL, or the root of a tree of this sort.
            sort: SortId,
            /// What is handed to it.
            from: Source,
        },
        /// A pointer to the first cell of a ring, whose header is in this node: to the root of a segment of this sort, above which and in
        /// whose hole stands a pointer to the header. In sorts of a proof only.
        Ring {
            /// Of which sort its cells are.
            sort: SortId,
            /// The byte of this node's element at which the header is.
            byte: u64,
        },
        /// A pointer to the last cell of the ring whose first one this field leads to; to the header, if it has none. In sorts of a proof
        /// only.
        Last(u32),
    }

    /// What a node hands to a tree below it.
    #[derive(Copy)]
    pub enum Source {
        /// What it holds in this field, a pointer.
        Field(u32),
        /// What it has been handed itself.
        Above,
    }

    /// May an object be written?
    #[derive(Copy)]
    pub enum Access {
        /// Writing it is a failure (C11 6.4.5p7 string literals, 6.7.3p6 const objects).
        ReadOnly,
        /// Reads and writes.
        ReadWrite,
    }

    /// Initial contents of one field of a static object.
    pub enum Contents {
        /// Every element holds zero (or NULL).
        Zero,
        /// Element i holds entry i of the table; the table has as many entries as the object has elements.
        Table(TableId),
        /// Element i points to the start of this object, or is NULL.
        Pointers(Vec<Option<ObjectId>>),
    }
}

structures! {
    /// A constant table of integers of one type.
    pub struct Table {
        /// The type of every entry.
        pub kind: IntegerType,
        /// The entries, each in range.
        pub values: Vec<i128>,
    }
}

structures! {
    /// An array of exactly as many elements as `length` says, `0 <= length <= min(max of its type, (2^63 - 1) / element size)`; the
    /// pointer is not NULL, also when the length is 0.
    #[derive(Copy)]
    pub struct ArrayInput {
        /// Receives the pointer to element 0.
        pub pointer: RegisterId,
        /// Receives the number of elements.
        pub length: RegisterId,
        /// The array.
        pub object: ObjectId,
    }
}

enumerations! {
    /// An input of the program. What the program may assume of it is in `spec/program.md#inputs`.
    pub enum Input {
        /// Any value of the register's type.
        Integer {
            /// Receives the value.
            register: RegisterId,
        },
        /// An array of any length.
        Array(ArrayInput),
        /// NULL or a pointer to one object of its own. Its pointer fields are uninitialised.
        Single {
            /// Receives the pointer.
            pointer: RegisterId,
            /// The object.
            object: ObjectId,
        },
        /// NULL or the root of a tree of nodes, disjoint from all else, linked as their declarations say.
        Linked {
            /// Receives the pointer to the root.
            pointer: RegisterId,
            /// The declaration of the root, of origin [`Origin::Node`].
            object: ObjectId,
        },
    }

    /// An integer register, or a constant inside the range of the type in which it is used.
    #[derive(Copy)]
    pub enum Operand {
        /// The register's value.
        Register(RegisterId),
        /// This value.
        Constant(i128),
    }

    /// A pointer register, or NULL.
    #[derive(Copy)]
    pub enum PointerOperand {
        /// The register's value.
        Register(RegisterId),
        /// The null pointer.
        Null,
    }

    /// How two values are compared. The other four relations come by exchanging sides or branches.
    #[derive(Copy)]
    pub enum Relation {
        /// `==`
        Equal,
        /// `<`
        Less,
        /// `<=`
        LessOrEqual,
    }

    /// The condition of a branch.
    #[derive(Copy)]
    pub enum Condition {
        /// Two integers, compared as mathematical values: the front end has converted both to one type.
        Integers {
            /// The relation.
            relation: Relation,
            /// Left side.
            left: Operand,
            /// Right side.
            right: Operand,
        },
        /// Two pointers; `Less` and `LessOrEqual` need both inside one object, or fail.
        Pointers {
            /// The relation.
            relation: Relation,
            /// Left side.
            left: PointerOperand,
            /// Right side.
            right: PointerOperand,
        },
    }

    /// A binary operation. Operands and result have the target's type, but for the right side of a shift, which has any integer type.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    pub enum Operation {
        /// `+`
        Add,
        /// `-`
        Subtract,
        /// `*`
        Multiply,
        /// `/`, truncating; zero and the one overflowing division fail (C11 6.5.5p5-6).
        Divide,
        /// `%`; fails where `/` does.
        Remainder,
        /// `&`
        And,
        /// `|`
        Or,
        /// `^`
        Xor,
        /// `<<`; an amount outside `0..width` fails (C11 6.5.7p3).
        ShiftLeft,
        /// `>>`, arithmetic on signed types; an amount outside `0..width` fails.
        ShiftRight,
    }

    /// What freshly allocated memory holds.
    #[derive(Copy)]
    pub enum Fresh {
        /// Integers: one arbitrary fixed value each; pointers: uninitialised (`malloc`).
        Arbitrary,
        /// Zero and NULL (`calloc`).
        Zero,
    }

    /// What a program's own `Fail` stands for, for reports.
    #[derive(Copy)]
    pub enum FailKind {
        /// A false assertion.
        Assertion,
        /// `__VERIFIER_fail`, `reach_error`, `__VERIFIER_error`.
        Reached,
        /// A function whose value is used ended without `return` (C11 6.9.1p12).
        MissingReturn,
        /// `__builtin_unreachable` was reached.
        Unreachable,
    }
}

structures! {
    /// A condition, and the way for either answer.
    #[derive(Copy)]
    pub struct Branch {
        /// What decides.
        pub condition: Condition,
        /// Where to, if it holds.
        pub then: Location,
        /// Where to, if not.
        pub otherwise: Location,
    }

    /// A binary operation, and the register that receives its result.
    #[derive(Copy)]
    pub struct Compute {
        /// Integer register, not `_Bool`.
        pub target: RegisterId,
        /// The operation.
        pub operation: Operation,
        /// Left side.
        pub left: Operand,
        /// Right side.
        pub right: Operand,
    }

    /// A pointer to be moved.
    #[derive(Copy)]
    pub struct Advance {
        /// Pointer register.
        pub target: RegisterId,
        /// Pointer register.
        pub base: RegisterId,
        /// How many steps.
        pub index: Operand,
        /// Bytes per step.
        pub scale: i64,
    }

    /// Two pointers to be subtracted.
    #[derive(Copy)]
    pub struct Distance {
        /// Integer register of type I64.
        pub target: RegisterId,
        /// Pointer register.
        pub left: RegisterId,
        /// Pointer register.
        pub right: RegisterId,
        /// The pointee's size in bytes; positive.
        pub scale: u64,
    }

    /// What is asked of an allocation.
    #[derive(Copy)]
    pub struct Allocate {
        /// Pointer register.
        pub target: RegisterId,
        /// A heap object or a node.
        pub object: ObjectId,
        /// How many bytes, of type U64.
        pub bytes: Operand,
        /// What they hold.
        pub fresh: Fresh,
    }
}

enumerations! {
    /// One instruction. Unless it says otherwise, execution goes on at the next location. What each does in every case, and which cases
    /// fail, is in `spec/program.md`; an instruction that reads an uninitialised register other than to copy it fails.
    pub enum Instruction {
        /// Goes on at `target`.
        Jump {
            /// Where to.
            target: Location,
        },
        /// Goes on at `then` if the condition holds, else at `otherwise`.
        Branch(Branch),
        /// Goes on at either location; nothing decides.
        Choose {
            /// One way.
            then: Location,
            /// The other.
            otherwise: Location,
        },
        /// The program ends normally.
        Halt,
        /// The program's own failure.
        Fail {
            /// Of which kind.
            kind: FailKind,
        },
        /// Whatever happens is of no interest: a false assumption.
        Ignore,
        /// Converts the value to the target's type and keeps it there (C11 6.3.1.3). `_Bool` is only assigned from `_Bool`, 0 or 1. From an
        /// uninitialised register of the same type it is a copy; of another type it fails.
        Assign {
            /// Integer register.
            target: RegisterId,
            /// What to convert.
            value: Operand,
        },
        /// Computes in the target's type. Unsigned results wrap; signed ones wrap, or fail under `--checks overflow`.
        Compute(Compute),
        /// Any value of the target's type.
        Havoc {
            /// Integer register.
            target: RegisterId,
        },
        /// The register holds no value until it is written.
        Uninitialise {
            /// Any register.
            target: RegisterId,
        },
        /// The null pointer.
        Null {
            /// Pointer register.
            target: RegisterId,
        },
        /// Copies a pointer, also an uninitialised one or one to a freed object.
        Copy {
            /// Pointer register.
            target: RegisterId,
            /// Pointer register.
            source: RegisterId,
        },
        /// A pointer to element 0 of a static or local object.
        Address {
            /// Pointer register.
            target: RegisterId,
            /// The object.
            object: ObjectId,
        },
        /// `base + index * scale` bytes. `scale` is negative for `p - i`. The byte count must be a whole number of elements of the object,
        /// or constant (then it may move inside the element).
        Advance(Advance),
        /// `(left - right) / scale`, in the target's type I64.
        Distance(Distance),
        /// Reads the field `offset` bytes from the address. The field has the target's width; if only the signedness differs, the value is
        /// converted.
        Load {
            /// Any register.
            target: RegisterId,
            /// Pointer register.
            address: RegisterId,
            /// Bytes added to the address.
            offset: i64,
        },
        /// Writes the register to the field `offset` bytes from the address; widths as for `Load`.
        Store {
            /// Pointer register.
            address: RegisterId,
            /// Bytes added to the address.
            offset: i64,
            /// Any register.
            source: RegisterId,
        },
        /// Makes the object live with `bytes / element size` elements, of a node exactly one, or gives NULL where the claim lets allocation fail or the
        /// request is above 2^63 - 1 bytes.
        Allocate(Allocate),
        /// `free`: NULL is ignored; anything but the start of a live heap or input object fails.
        Free {
            /// Pointer register.
            pointer: RegisterId,
        },
        /// A local object's scope begins: it is live, with arbitrary contents (pointers uninitialised).
        Enter {
            /// A local object.
            object: ObjectId,
        },
        /// A local object's scope ends: it is dead.
        Leave {
            /// A local object.
            object: ObjectId,
        },
        /// Fails where a live object of the heap is reached neither from these registers nor from static objects.
        CheckLeaks {
            /// Pointers that are kept.
            roots: Vec<RegisterId>,
        },
    }
}

structures! {
    /// A whole program.
    pub struct Program {
        /// The entry function's name.
        pub entry: String,
        /// All registers.
        pub registers: Vec<Register>,
        /// All element layouts.
        pub layouts: Vec<Layout>,
        /// All objects.
        pub objects: Vec<Object>,
        /// All constant tables.
        pub tables: Vec<Table>,
        /// The inputs, in the order of the entry function's parameters.
        pub inputs: Vec<Input>,
        /// All instructions; the last one does not fall through.
        pub instructions: Vec<Instruction>,
        /// Where assertions are tested: locations of branches, ascending. Ground runs report which of them they pass (the vacuity flag).
        pub assertions: Vec<Location>,
    }
}
