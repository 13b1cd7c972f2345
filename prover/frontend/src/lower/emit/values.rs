//! Values of expressions: scalars in registers or constants, records as lists of them.

use super::{Emitter, Outcome};
use crate::lower::types::{in_range, includes};
use goatherd_certificates::program::{Instruction, IntegerType, Operand, PointerOperand, RegisterId, Type};

/// An integer with the type of its register, or a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Integer(Operand, IntegerType),
    Pointer(PointerOperand),
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Void,
    Scalar(Scalar),
    /// One scalar per leaf of the record.
    Record(Vec<Scalar>),
}

impl Scalar {
    pub(crate) fn register(self) -> Option<RegisterId> {
        match self {
            Scalar::Integer(Operand::Register(register), _) | Scalar::Pointer(PointerOperand::Register(register)) => Some(register),
            _ => None,
        }
    }

    pub(crate) fn of(register: RegisterId, kind: Type) -> Self {
        match kind {
            Type::Integer(kind) => Scalar::Integer(Operand::Register(register), kind),
            Type::Pointer => Scalar::Pointer(PointerOperand::Register(register)),
        }
    }

    /// Zero or NULL.
    pub(crate) fn zero(kind: Type) -> Self {
        match kind {
            Type::Integer(kind) => Scalar::Integer(Operand::Constant(0), kind),
            Type::Pointer => Scalar::Pointer(PointerOperand::Null),
        }
    }
}

impl Value {
    pub(crate) fn scalars(self) -> Vec<Scalar> {
        match self {
            Value::Void => Vec::new(),
            Value::Scalar(scalar) => vec![scalar],
            Value::Record(scalars) => scalars,
        }
    }

    /// The value with other scalars in place of its own, as many as there were.
    pub(crate) fn with(self, scalars: Vec<Scalar>) -> Self {
        match (self, scalars.first()) {
            (Value::Scalar(_), Some(scalar)) => Value::Scalar(*scalar),
            (Value::Record(_), _) => Value::Record(scalars),
            (value, _) => value,
        }
    }
}

impl Emitter<'_> {
    /// Writes a scalar to a register, converted to its type.
    pub(crate) fn move_to(&mut self, target: RegisterId, scalar: Scalar, offset: usize) {
        if scalar.register() == Some(target) {
            return;
        }
        let instruction = match scalar {
            Scalar::Integer(value, _) => Instruction::Assign { target, value: self.constant_for(target, value) },
            Scalar::Pointer(PointerOperand::Register(source)) => Instruction::Copy { target, source },
            Scalar::Pointer(PointerOperand::Null) => Instruction::Null { target },
        };
        self.push(instruction, offset);
    }

    /// Constants are written in the range of the type in which they are used.
    fn constant_for(&self, target: RegisterId, value: Operand) -> Operand {
        match (value, self.kind_of(target)) {
            (Operand::Constant(value), Type::Integer(kind)) => Operand::Constant(crate::lower::types::convert(kind, value)),
            _ => value,
        }
    }

    /// The scalar in a temporary of its own.
    pub(crate) fn copied(&mut self, scalar: Scalar, offset: usize) -> Scalar {
        let kind = match scalar {
            Scalar::Integer(_, kind) => Type::Integer(kind),
            Scalar::Pointer(_) => Type::Pointer,
        };
        let target = self.temporary(kind);
        self.move_to(target, scalar, offset);
        Scalar::of(target, kind)
    }

    /// The scalar in a register of this type.
    pub(crate) fn in_register(&mut self, scalar: Scalar, kind: Type, offset: usize) -> RegisterId {
        match scalar.register() {
            Some(register) if self.kind_of(register) == kind => register,
            _ => {
                let target = self.temporary(kind);
                self.move_to(target, scalar, offset);
                target
            }
        }
    }

    /// The integer as an operand of a computation in this type, in which its value lies.
    pub(crate) fn operand_in(&mut self, scalar: Scalar, kind: IntegerType, offset: usize) -> Operand {
        match scalar {
            Scalar::Integer(Operand::Constant(value), _) => Operand::Constant(crate::lower::types::convert(kind, value)),
            Scalar::Integer(operand, own) if own == kind => operand,
            _ => Operand::Register(self.in_register(scalar, Type::Integer(kind), offset)),
        }
    }

    /// A pointer in a register.
    pub(crate) fn pointer_register(&mut self, scalar: Scalar, offset: usize) -> RegisterId {
        self.in_register(scalar, Type::Pointer, offset)
    }

    /// A register for a result: the wanted one if it has this type, else a temporary.
    pub(crate) fn target(&mut self, want: Option<RegisterId>, kind: Type) -> RegisterId {
        match want {
            Some(register) if self.kind_of(register) == kind => register,
            _ => self.temporary(kind),
        }
    }

    /// The integer converted to a type: nothing is done if its value lies in the type anyway.
    pub(crate) fn converted(&mut self, scalar: Scalar, kind: IntegerType, want: Option<RegisterId>, offset: usize) -> Scalar {
        match scalar {
            Scalar::Integer(Operand::Constant(value), _) => {
                Scalar::Integer(Operand::Constant(crate::lower::types::convert(kind, value)), kind)
            }
            Scalar::Integer(_, own) if includes(kind, own) => scalar,
            _ => {
                let target = self.target(want, Type::Integer(kind));
                self.move_to(target, scalar, offset);
                Scalar::of(target, Type::Integer(kind))
            }
        }
    }

    /// Can the integer stand in a computation of this type without conversion?
    pub(crate) fn fits(scalar: Scalar, kind: IntegerType) -> bool {
        match scalar {
            Scalar::Integer(Operand::Constant(value), _) => in_range(kind, value),
            Scalar::Integer(_, own) => own == kind,
            Scalar::Pointer(_) => false,
        }
    }

    /// An integer operand where a scalar must be an integer.
    pub(crate) fn integer(&mut self, scalar: Scalar, offset: usize) -> Outcome<Operand> {
        match scalar {
            Scalar::Integer(operand, _) => Ok(operand),
            Scalar::Pointer(_) => self.unsupported(offset, "a pointer where an integer is needed"),
        }
    }
}
