//! One change of one file of the kernel.

use super::place;

/// One change of the kernel's source.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The file, from the root of the workspace.
    pub file: &'static str,
    /// The function, or functions of that name, in whose bodies it stands.
    pub function: &'static str,
    /// What stands there, in one place: tokens, with every bracket closed.
    pub old: &'static str,
    /// What stands there instead.
    pub new: &'static str,
}

impl Change {
    /// A change of that file: in that function, what stands there, and what stands there instead.
    pub const fn new(file: &'static str, function: &'static str, old: &'static str, new: &'static str) -> Self {
        Self { file, function, old, new }
    }

    /// The source of the file with the change; says what is wrong where the place is not found once.
    pub fn apply(&self, source: &str) -> Result<String, String> {
        let place = place::find(source, self.function, self.old).map_err(|fault| format!("{}: {fault}", self.file))?;
        Ok([&source[..place.start], self.new, &source[place.end..]].concat())
    }
}
