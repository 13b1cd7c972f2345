//! The kernel with a hole: what the generator of certificates finds when conditions are switched off (`spec/fuzzing.md`).
//!
//! The kernel, its data types, the interpreter and the generator are copied, the kernel is changed, and the generator looks for an accepted
//! certificate that is false.

use crate::{kernel_mutants, workspace_root};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// One change: the file in `checker/src`, what stands there once, and what stands there instead. White space counts for nothing.
pub type Change = (&'static str, &'static str, &'static str);

/// Conditions that are switched off together.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The row of the table of attacks in the specification, or of an earlier list.
    pub row: &'static str,
    /// What is wrong, in words.
    pub about: &'static str,
    /// The changes.
    pub changes: Vec<Change>,
}

/// The two holes that the kernel has had.
pub fn known() -> Vec<Hole> {
    vec![
        Hole {
            row: "K1",
            about: "terms are looked up neither as they are decoded nor in templates",
            changes: vec![
                (
                    "../../certificates/src/decode.rs",
                    "(number < count).then_some(TableTerm(number))",
                    "{ let _ = count; Some(TableTerm(number)) }",
                ),
                ("replay.rs", ".and_then(|made| made.check_scope(arena).map(|()| made))", ""),
            ],
        },
        Hole {
            row: "H17",
            about: "nodes are left out twice",
            changes: vec![("unfold.rs", ".filter(|node| node.life == Life::Live).ok_or(Rejection::Drop)?;", ".ok_or(Rejection::Drop)?;")],
        },
    ]
}

/// One condition of each of the other rows that this kernel has.
pub fn rows() -> Vec<Hole> {
    let hole = |row, about, change| Hole { row, about, changes: vec![change] };
    vec![
        hole(
            "A2",
            "the primary chooses its outcome",
            ("rules.rs", "ensure(member != MemberId(0), Rejection::Primary)?; let all = outcomes", "let all = outcomes"),
        ),
        hole(
            "A3",
            "scapegoats take what the model does not know",
            ("rules.rs", "ensure(outcome.tag != Tag::Ignorance, Rejection::Ignorance)?; let mut obligations", "let mut obligations"),
        ),
        hole(
            "A5",
            "splits on future variables",
            ("rules.rs", "arena.exists(&configuration.scope, Part::Linear(literal.term))?; let negation", "let negation"),
        ),
        hole(
            "A5 (choice)",
            "values of scapegoats are any terms",
            ("outcome.rs", "self.arena.exists(self.scope, Part::Linear(term))?; sort.filter", "sort.filter"),
        ),
        hole("trap 2", "a template covers itself", ("subsume.rs", "ensure(configuration.progress, Rejection::Progress)?;", "")),
        hole(
            "trap 3",
            "the ends of scapegoats are failures",
            (
                "rules.rs",
                "ensure(has_failed(setting, scapegoat.place), Rejection::NotFailed)?;",
                "ensure(has_failed(setting, scapegoat.place) || setting.instruction(scapegoat.place) == Some(&Instruction::Ignore), Rejection::NotFailed)?;",
            ),
        ),
        hole(
            "trap 4",
            "a scapegoat on the same input",
            ("rules.rs", "if scapegoat.size == InputSize::Smaller {", "if scapegoat.size <= InputSize::NotLarger {"),
        ),
        hole(
            "trap 4 (length)",
            "elements are left out that are not there",
            ("rules.rs", "configuration.obligations(arena, oracle).entail(is_inside)?;", "let _ = is_inside;"),
        ),
        hole("F3", "an element is left out twice", ("rules.rs", "ensure(dropped >= first, Rejection::Drop)?;", "")),
        hole(
            "A7, B1 (range)",
            "new integers of a scapegoat are in no range",
            (
                "outcome.rs",
                "sort.filter(|kind| !lies_in(self.arena.range(term), *kind)).map_or(Ok(()), |kind| self.range(term, range(kind)))",
                "{ let _ = (sort, lies_in); Ok(()) }",
            ),
        ),
        hole(
            "C2",
            "a configuration is infeasible without a refutation",
            (
                "refute.rs",
                "check(arena, predicate, assumptions, refutation)",
                "{ let _ = (arena, predicate, assumptions, refutation); Ok(()) }",
            ),
        ),
        hole(
            "Descent",
            "the primary is its own scapegoat",
            ("rules.rs", "ensure(member != MemberId(0), Rejection::Primary)?; let (scapegoat, primary)", "let (scapegoat, primary)"),
        ),
        hole(
            "End",
            "the primary ends by failing",
            (
                "rules.rs",
                "matches!(instruction, Some(Instruction::Halt | Instruction::Ignore))",
                "matches!(instruction, Some(Instruction::Halt | Instruction::Ignore | Instruction::Fail { .. }))",
            ),
        ),
        hole(
            "T1",
            "as many values consumed are fewer",
            ("rules.rs", "let is_less = arena.less(own, others)?;", "let is_less = arena.at_most(own, others)?;"),
        ),
        hole(
            "E1",
            "the last of several outcomes is lost",
            (
                "rules.rs",
                "ensure(refuted.next().is_none(), Rejection::Outcomes)?;",
                "ensure(refuted.next().is_none(), Rejection::Outcomes)?; let mut open = open; if open.len() > 1 { open.pop(); }",
            ),
        ),
        hole(
            "Template literals",
            "literals of a template are not shown",
            ("subsume.rs", "this.obligations.entail(Literal { term, ..*literal })?;", "let _ = (term, Literal::clone(literal));"),
        ),
    ]
}

/// Every fault of the kernel that the test vectors notice by accepting a forgery.
pub fn mutants() -> Vec<Hole> {
    let is_forged = |mutant: &&kernel_mutants::Mutant| !mutant.accepted.is_empty();
    kernel_mutants::ALL
        .iter()
        .filter(is_forged)
        .map(|mutant| Hole { row: "mutant", about: mutant.about, changes: vec![(mutant.file, mutant.old, mutant.new)] })
        .collect()
}

/// The source with what stands there replaced; says what is wrong where it does not stand there once.
pub fn changed(source: &str, old: &str, new: &str) -> Result<String, String> {
    // What counts, and where it begins.
    let characters: Vec<(usize, char)> = counting(source);
    let wanted: Vec<char> = counting(old).into_iter().map(|(_, character)| character).collect();
    let is_here = |window: &[(usize, char)]| window.iter().map(|(_, character)| character).eq(&wanted);
    let places: Vec<usize> =
        characters.windows(wanted.len()).enumerate().filter(|(_, window)| is_here(window)).map(|(place, _)| place).collect();
    let [place] = places.as_slice() else { return Err(format!("`{old}` stands there {} times", places.len())) };
    let (start, end) = (characters[*place].0, characters[place + wanted.len() - 1]);
    Ok([&source[..start], new, &source[end.0 + end.1.len_utf8()..]].concat())
}

/// All characters but white space, and commas before a closing bracket, with their places.
fn counting(source: &str) -> Vec<(usize, char)> {
    let all: Vec<(usize, char)> = source.char_indices().filter(|(_, character)| !character.is_whitespace()).collect();
    let is_last = |position: usize| all.get(position + 1).is_some_and(|(_, next)| matches!(next, ')' | ']' | '}'));
    all.iter().enumerate().filter(|(position, (_, character))| *character != ',' || !is_last(*position)).map(|(_, found)| *found).collect()
}

/// What is copied.
const PARTS: [&str; 5] = ["certificates", "checker", "checker/allocator", "prover/interpreter", "tests/generator"];

/// A copy of the kernel with the generator, in a workspace of its own.
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// Copies the sources as they are to the folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let root = workspace_root();
        for part in PARTS {
            copy(&root.join(part), &folder.join(part))?;
        }
        let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
        let (head, rest) = manifest.split_once("members = [").ok_or_else(|| io::Error::other("no members"))?;
        let (_, tail) = rest.split_once(']').ok_or_else(|| io::Error::other("no members"))?;
        let members = PARTS.map(|part| format!("\"{part}\"")).join(", ");
        // One that is built often: optimised, but crate by crate.
        let (tail, _) = tail.split_once("[profile.dev]").unwrap_or((tail, ""));
        fs::write(folder.join("Cargo.toml"), format!("{head}members = [{members}]{tail}[profile.release]\npanic = \"abort\"\n"))?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// What the generator says of the kernel with the hole: after how many certificates it has found a false one, if it has.
    pub fn search(&self, hole: &Hole, count: u64, seed: u64) -> Result<Option<u64>, String> {
        let mut originals = Vec::new();
        for (file, old, new) in &hole.changes {
            let path = self.folder.join("checker/src").join(file);
            let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            match changed(&source, old, new) {
                Ok(other) => {
                    fs::write(&path, other).map_err(|error| error.to_string())?;
                    originals.push((path, source));
                }
                Err(fault) => {
                    restore(&originals)?;
                    return Err(format!("{file}: {fault}"));
                }
            }
        }
        let answer = self.run(count, seed);
        restore(&originals)?;
        answer
    }

    fn run(&self, count: u64, seed: u64) -> Result<Option<u64>, String> {
        let cargo = env::var("CARGO").unwrap_or_else(|_| String::from("cargo"));
        let build = Command::new(cargo)
            .args(["build", "--quiet", "--offline", "--release", "-p", "goatherd-generator"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("RUSTFLAGS", "-Awarnings")
            .output()
            .map_err(|error| error.to_string())?;
        if !build.status.success() {
            return Err(String::from_utf8_lossy(&build.stderr).into_owned());
        }
        let found = Command::new(self.folder.join("target/release/generate-certificates"))
            .args([count.to_string(), seed.to_string()])
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&found.stdout);
        let marked = said.lines().find_map(|line| line.strip_prefix("accepted, but false after "));
        match (found.status.code(), marked) {
            (Some(0), None) => Ok(None),
            (Some(1), Some(line)) => line.split(' ').next().and_then(|number| number.parse().ok()).map(Some).ok_or_else(|| line.to_owned()),
            // A condition may also stand before an index: then the kernel without it panics.
            _ => Err(String::from_utf8_lossy(&found.stderr).lines().find(|line| !line.is_empty()).unwrap_or_default().to_owned()),
        }
    }
}

fn restore(originals: &[(PathBuf, String)]) -> Result<(), String> {
    originals.iter().try_for_each(|(path, source)| fs::write(path, source).map_err(|error| error.to_string()))
}

/// Copies manifests and sources, where they differ.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if path.is_dir() {
            copy(&path, &target)?;
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "toml") {
            let text = fs::read(&path)?;
            if fs::read(&target).ok().as_ref() != Some(&text) {
                fs::write(&target, text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn layout_does_not_matter() {
        let source = "fn f() {\n    g(\n        a,\n        b,\n    );\n}\n";
        assert_eq!(changed(source, "g(a, b)", "h(b)").unwrap(), "fn f() {\n    h(b);\n}\n");
        assert!(changed(source, "g(b)", "").is_err());
        assert!(changed("a + a", "a", "b").is_err());
    }
}
