//! What a search works on: a herd, how it has come about and what has been learnt of its integers; templates, which stand for all herds that come
//! to a loop; and folding, which makes the heaps of these few.

pub(crate) mod affine;
pub(crate) mod consumption;
pub(crate) mod differences;
pub(crate) mod folding;
pub(crate) mod herd;
pub(crate) mod mismatch;
pub(crate) mod realisation;
pub(crate) mod template;
pub(crate) mod trail;
pub(crate) mod twin;
pub(crate) mod wanted;
pub(crate) mod words;
