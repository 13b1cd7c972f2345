//! stub
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// stub
pub enum Declined {
    /// stub
    Memory {
        /// stub
        limit: u64,
    },
}
