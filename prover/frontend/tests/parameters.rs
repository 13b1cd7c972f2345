//! What the tests run programs under.

use goatherd_certificates::certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow};

/// Of the usual machine, where allocations succeed.
pub const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::Succeeds,
    arithmetic: Arithmetic::C,
};
