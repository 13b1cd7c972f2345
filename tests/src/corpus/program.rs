//! The programs that the recipe wrote, each with what is expected of it.

use std::path::{Path, PathBuf};

use super::instance::Instance;

/// A program in `target/corpus/`: that of an instance, or a buggy twin of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// `ID`, `ID.buggy`, `ID.2.buggy`.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// The instance that it belongs to.
    pub instance: Instance,
    /// What it is.
    pub role: Role,
}

/// What a program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The instance itself.
    Instance,
    /// A buggy twin.
    Twin,
}

impl Program {
    /// Whether it must be proved; if not, it must be unsafe.
    pub fn is_good(&self) -> bool {
        self.role == Role::Instance && self.instance.holds
    }
}

/// The programs of these instances in a folder, in the order of their names, and the instances that have none there.
pub fn programs(folder: &Path, instances: Vec<Instance>) -> (Vec<Program>, Vec<Instance>) {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".c")?.to_owned()))
        .collect();
    names.sort();
    let (mut programs, mut without) = (Vec::new(), Vec::new());
    for instance in instances {
        let before = programs.len();
        for name in &names {
            let Some(role) = role(name, &instance.id) else { continue };
            let file = folder.join(format!("{name}.c"));
            programs.push(Program { name: name.clone(), file, instance: instance.clone(), role });
        }
        if programs.len() == before {
            without.push(instance);
        }
    }
    programs.sort_by(|left, right| left.name.cmp(&right.name));
    (programs, without)
}

fn role(name: &str, id: &str) -> Option<Role> {
    let rest = name.strip_prefix(id)?;
    if rest.is_empty() {
        return Some(Role::Instance);
    }
    let number = rest.strip_prefix('.')?.strip_suffix("buggy")?;
    (number.is_empty() || number.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok())).then_some(Role::Twin)
}

#[cfg(test)]
mod tests {
    use super::{Role, role};

    #[test]
    fn tells_instances_from_twins() {
        assert_eq!(role("str-f", "str-f"), Some(Role::Instance));
        assert_eq!(role("str-f.buggy", "str-f"), Some(Role::Twin));
        assert_eq!(role("str-f.2.buggy", "str-f"), Some(Role::Twin));
        assert_eq!(role("str-f-g", "str-f"), None);
        assert_eq!(role("str-f.counterexample", "str-f"), None);
    }
}
