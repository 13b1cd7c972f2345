//! The kernel with a hole: what the generator of certificates finds when conditions are switched off (`spec/fuzzing.md`).
//!
//! The kernel, its data types, the interpreter and the generator are copied, the kernel is changed, and the generator looks for an accepted
//! certificate that is false.

use crate::{
    kernel_mutants::{self, Change},
    workspace_root,
};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    slice,
};

/// Conditions that are switched off together.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// The row of the table of attacks in the specification, or of an earlier list.
    pub row: &'static str,
    /// What is wrong, in words.
    pub about: &'static str,
    /// The changes.
    pub changes: &'static [Change],
}

/// The two holes that the kernel has had.
pub const KNOWN: &[Hole] = &[
    Hole {
        row: "K1",
        about: "terms are looked up neither as they are decoded nor in templates",
        changes: &[
            Change::new(
                "certificates/src/decode.rs",
                "term",
                "(number < count).then_some(TableTerm(number))",
                "{ let _ = count; Some(TableTerm(number)) }",
            ),
            Change::new("checker/src/kinds.rs", "check_term", "self.arena.exists(&self.template.scope, term)", "{ let _ = term; Ok(()) }"),
        ],
    },
    Hole {
        row: "H17",
        about: "nodes are left out twice",
        changes: &[Change::new("checker/src/unfold.rs", "drop_node", "ensure(state.life == Life::Live, Rejection::Drop)?;", "")],
    },
];

/// One condition of each of the other rows that this kernel has.
pub const ROWS: &[Hole] = &[
    Hole {
        row: "A2",
        about: "the primary chooses its outcome",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "step_decided",
            "ensure(self.member != MemberId(0), Rejection::Primary)?; let all",
            "let all",
        )],
    },
    Hole {
        row: "A3",
        about: "scapegoats take what the model does not know",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "step_decided",
            "ensure(outcome.tag != Tag::Ignorance, Rejection::Ignorance)?; let mut obligations",
            "let mut obligations",
        )],
    },
    Hole {
        row: "A5",
        about: "splits on future variables",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "split",
            "arena.exists(&configuration.scope, Part::Linear(literal.term))?; let negation",
            "let negation",
        )],
    },
    Hole {
        row: "A5 (choice)",
        about: "values of scapegoats are any terms",
        changes: &[Change::new(
            "checker/src/outcome.rs",
            "integer",
            "self.arena.exists(self.scope, Part::Linear(term))?; sort.filter",
            "sort.filter",
        )],
    },
    Hole {
        row: "trap 2",
        about: "a template covers itself",
        changes: &[Change::new("checker/src/subsume.rs", "subsume", "ensure(configuration.progress, Rejection::Progress)?;", "")],
    },
    Hole {
        row: "trap 3",
        about: "the ends of scapegoats are failures",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "descent",
            "ensure(has_failed(setting, scapegoat.place), Rejection::NotFailed)?;",
            "ensure(has_failed(setting, scapegoat.place) || setting.instruction(scapegoat.place) == Some(&Instruction::Ignore), Rejection::NotFailed)?;",
        )],
    },
    Hole {
        row: "trap 4",
        about: "a scapegoat on the same input",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "descent",
            "if scapegoat.size == InputSize::Smaller",
            "if scapegoat.size <= InputSize::NotLarger",
        )],
    },
    Hole {
        row: "trap 4 (length)",
        about: "elements are left out that are not there",
        changes: &[Change::new("checker/src/rules.rs", "drop_element", "obligations.entail(is_inside)?;", "let _ = is_inside;")],
    },
    Hole {
        row: "F3",
        about: "an element is left out twice",
        changes: &[Change::new("checker/src/rules.rs", "drop_element", "ensure(dropped >= first, Rejection::Drop)?;", "")],
    },
    Hole {
        row: "A7, B1 (range)",
        about: "new integers of a scapegoat are in no range",
        changes: &[Change::new(
            "checker/src/outcome.rs",
            "integer",
            "sort.filter(|kind| !lies_in(self.arena.range(term), *kind)).map_or(Ok(()), |kind| self.range(term, range(kind)))",
            "{ let _ = (sort, lies_in); Ok(()) }",
        )],
    },
    Hole {
        row: "C2",
        about: "a configuration is infeasible without a refutation",
        changes: &[Change::new(
            "checker/src/refute.rs",
            "refute",
            "check(arena, predicate, assumptions, refutation)",
            "{ let _ = (arena, predicate, assumptions, refutation); Ok(()) }",
        )],
    },
    Hole {
        row: "Descent",
        about: "the primary is its own scapegoat",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "descent",
            "ensure(member != MemberId(0), Rejection::Primary)?; let scapegoat",
            "let scapegoat",
        )],
    },
    Hole {
        row: "End",
        about: "the primary ends by failing",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "end",
            "matches!(instruction, Some(Instruction::Halt | Instruction::Ignore))",
            "matches!(instruction, Some(Instruction::Halt | Instruction::Ignore | Instruction::Fail { .. }))",
        )],
    },
    Hole {
        row: "T1",
        about: "as many values consumed are fewer",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "descent",
            "let is_less = arena.less(own, others)?;",
            "let is_less = arena.at_most(own, others)?;",
        )],
    },
    Hole {
        row: "E1",
        about: "the last of several outcomes is lost",
        changes: &[Change::new(
            "checker/src/rules.rs",
            "step",
            "ensure(refuted.next().is_none(), Rejection::Outcomes)?;",
            "ensure(refuted.next().is_none(), Rejection::Outcomes)?; let mut open = open; if open.len() > 1 { open.pop(); }",
        )],
    },
    Hole {
        row: "Template literals",
        about: "literals of a template are not shown",
        changes: &[Change::new(
            "checker/src/subsume.rs",
            "subsume",
            "this.obligations.entail(Literal { term, ..*literal })?;",
            "let _ = (term, Literal::clone(literal));",
        )],
    },
];

/// Every fault of the kernel that the test vectors notice by accepting a forgery.
pub fn mutants() -> Vec<Hole> {
    let is_forged = |mutant: &&'static kernel_mutants::Mutant| !mutant.accepted.is_empty();
    kernel_mutants::all()
        .filter(is_forged)
        .map(|mutant| Hole { row: "mutant", about: mutant.about, changes: slice::from_ref(&mutant.change) })
        .collect()
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

    /// What the generator says of the kernel with the hole: after how many certificates of the subject it has found a false one, if it has.
    pub fn search(&self, hole: &Hole, count: u64, seed: u64, subject: &str) -> Result<Option<u64>, String> {
        let mut originals = Vec::new();
        let answer = hole.changes.iter().try_for_each(|change| {
            let path = self.folder.join(change.file);
            let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let changed = change.apply(&source)?;
            originals.push((path.clone(), source));
            fs::write(&path, changed).map_err(|error| error.to_string())
        });
        let answer = answer.and_then(|()| self.run(count, seed, subject));
        // The last first: a file may be changed twice.
        originals.iter().rev().try_for_each(|(path, source)| fs::write(path, source).map_err(|error| error.to_string()))?;
        answer
    }

    fn run(&self, count: u64, seed: u64, subject: &str) -> Result<Option<u64>, String> {
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
        // Where the false one would be written: somewhere beside what is built.
        let file = self.folder.join("target/found.goatherd");
        let found = Command::new(self.folder.join("target/release/generate-certificates"))
            .args([count.to_string(), seed.to_string()])
            .arg(file)
            .arg(subject)
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
