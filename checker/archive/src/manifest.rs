//! `goatherd.toml`: what is to be proved.
//!
//! ```toml
//! archive = "proofs"                     # where certificates lie, if not there
//!
//! [[task]]
//! files = ["src/**/*.c"]
//! exclude = ["src/old/*"]
//! entry = ["test", "test_empty"]         # a target per file and function
//! checks = ["overflow"]
//! ```

use crate::{
    target::{Allocating, Effort, Extra, Target, Terms, Vacuity},
    words::{definition, is_identifier, size},
};
use glob::{MatchOptions, Pattern, glob_with};
use goatherd_frontend::{files, lower::Waiver};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Component, Path, PathBuf},
    time::Duration,
};
use toml::Spanned;

/// The name that the file has if nothing else is said.
pub const NAME: &str = "goatherd.toml";

/// Where the archive lies if nothing else is said.
const ARCHIVE: &str = "proofs";

/// `*` stops at a folder, and `**` does not; a dot at the beginning is named as such.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// What `goatherd.toml` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The folder that it lies in, as seen from the current directory.
    pub root: PathBuf,
    /// The folder of the archive, seen so too.
    pub archive: PathBuf,
    /// What is to be proved, by file, in the order of names.
    pub targets: Vec<Target>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    archive: Option<Spanned<String>>,
    #[serde(default)]
    task: Vec<Spanned<Task>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Task {
    files: Spanned<Several<String>>,
    #[serde(default = "none")]
    exclude: Spanned<Several<String>>,
    #[serde(default = "usual_entry")]
    entry: Spanned<Several<String>>,
    name: Option<Spanned<String>>,
    #[serde(default = "none")]
    define: Spanned<Several<String>>,
    #[serde(default)]
    include: Several<String>,
    #[serde(default)]
    checks: Several<Extra>,
    #[serde(default)]
    allocation: Allocating,
    #[serde(default = "none")]
    waive: Spanned<Several<String>>,
    engine: Option<Engine>,
    solver: Option<Solver>,
    steps: Option<u64>,
    timeout: Option<Spanned<f64>>,
    memory: Option<Spanned<String>>,
    #[serde(default)]
    vacuity: Vacuity,
}

/// One value, or a list of them.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a value of the right kind, or a list of such values"
)]
enum Several<T> {
    One(T),
    Many(Vec<T>),
}

/// Each of these words, and where they all stand.
fn each(words: &Spanned<Several<String>>) -> impl Iterator<Item = (Span, &str)> {
    let span = words.span();
    words
        .get_ref()
        .values()
        .iter()
        .map(move |word| (span.clone(), word.as_str()))
}

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> Several<T> {
    fn values(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

fn usual_entry() -> Spanned<Several<String>> {
    Spanned::new(0..0, Several::One(String::from("test")))
}

fn none() -> Spanned<Several<String>> {
    Spanned::new(0..0, Several::default())
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Engine {
    Descent,
    Trees,
    Auto,
}

impl Engine {
    const fn word(self) -> &'static str {
        match self {
            Self::Descent => "descent",
            Self::Trees => "trees",
            Self::Auto => "auto",
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Solver {
    Builtin,
    Z3,
    Both,
}

impl Solver {
    const fn word(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Z3 => "z3",
            Self::Both => "both",
        }
    }
}

/// Where something stands, in bytes.
type Span = Range<usize>;
/// Something wrong, and where it stands.
type Wrong = (Span, String);

/// Reads the file, and looks for the files that it names.
///
/// # Errors
///
/// It cannot be read or is not understood, a pattern names no file, or two targets are called the same: one message, with line and column.
pub fn read(path: &Path) -> Result<Manifest, String> {
    let shown = path.to_string_lossy();
    let text = files::text(path, files::LARGEST)
        .map_err(|reason| format!("cannot read {shown}: {reason}"))?;
    let placed = |(span, message): Wrong| {
        let (line, column) = position(&text, span.start);
        format!("{shown}:{line}:{column}: {message}")
    };
    let document: Document = toml::from_str(&text).map_err(|error| {
        placed((
            error.span().unwrap_or_default(),
            error.message().replace('\n', "; "),
        ))
    })?;
    let root = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let archive = match &document.archive {
        Some(folder) => inside((folder.span(), folder.get_ref())).map_err(placed)?,
        None => PathBuf::from(ARCHIVE),
    };
    let targets = targets(&root, &archive, &document).map_err(placed)?;
    Ok(Manifest {
        archive: root.join(archive),
        root,
        targets,
    })
}

/// From 1 each, the column in bytes.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.len() + 1)
}

/// A path that stays inside its folder, so that what belongs to it can be named by it.
fn inside((span, path): (Span, &str)) -> Result<PathBuf, Wrong> {
    let inner = PathBuf::from(path);
    let is_inside = inner
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    if is_inside && inner.components().next().is_some() {
        return Ok(inner);
    }
    Err((
        span,
        format!(
            "`{path}` does not stay inside the folder of this file: write a relative path without `..` or `.`"
        ),
    ))
}

fn targets(root: &Path, archive: &Path, document: &Document) -> Result<Vec<Target>, Wrong> {
    let mut targets = BTreeMap::new();
    if document.task.is_empty() {
        return Err((
            0..0,
            String::from("there is no [[task]]: write one, with `files`"),
        ));
    }
    for task in &document.task {
        let (span, task) = (task.span(), task.get_ref());
        let files = files(root, archive, task)?;
        let (search, name) = (effort(task)?, name(task)?);
        for entry in each(&task.entry) {
            let terms = terms(task, entry)?;
            for file in &files {
                let target = Target {
                    file: file.clone(),
                    name: name.clone(),
                    terms: terms.clone(),
                    search: search.clone(),
                    vacuity: task.vacuity,
                };
                let called = target.to_string();
                if targets
                    .insert((file.clone(), target.leaf()), target)
                    .is_some()
                {
                    return Err((
                        span,
                        format!(
                            "{called}: an earlier task has it already; give this one a `name`, or `exclude` the file"
                        ),
                    ));
                }
            }
        }
    }
    Ok(targets.into_values().collect())
}

/// The files of a task, from the root, each once, in the order of names. What lies in the archive is none.
fn files(root: &Path, archive: &Path, task: &Task) -> Result<BTreeSet<String>, Wrong> {
    let mut excluded = Vec::new();
    for (span, pattern) in each(&task.exclude) {
        inside((span.clone(), pattern))?;
        excluded.push(Pattern::new(pattern).map_err(|error| (span, error.msg.to_owned()))?);
    }
    let mut files = BTreeSet::new();
    for (span, pattern) in each(&task.files) {
        inside((span.clone(), pattern))?;
        let mut found = matching(root, pattern).map_err(|message| (span.clone(), message))?;
        found.retain(|name| !Path::new(name).starts_with(archive));
        if found.is_empty() {
            return Err((span, format!("no file is named by `{pattern}`")));
        }
        files.extend(found.into_iter().filter(|name| {
            !excluded
                .iter()
                .any(|pattern| pattern.matches_with(name, MATCHING))
        }));
    }
    Ok(files)
}

/// The files that a pattern names, from the root.
fn matching(root: &Path, pattern: &str) -> Result<Vec<String>, String> {
    // From the current folder, names are found as they are.
    let folder = if root == Path::new(".") {
        String::new()
    } else {
        Pattern::escape(&root.to_string_lossy())
    };
    let whole = Path::new(&folder).join(pattern);
    let mut names = Vec::new();
    for path in
        glob_with(&whole.to_string_lossy(), MATCHING).map_err(|error| error.msg.to_owned())?
    {
        let path = path.map_err(|error| error.to_string())?;
        let name = path.strip_prefix(root).unwrap_or(&path);
        if path.is_file() {
            let name = name.to_str().ok_or_else(|| {
                format!("{} has a name that is not UTF-8", path.to_string_lossy())
            })?;
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// What tells the targets of this task apart from others.
fn name(task: &Task) -> Result<Option<String>, Wrong> {
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    match &task.name {
        Some(name) if !is_word(name.get_ref()) => Err((
            name.span(),
            format!(
                "`{}` is not a name of letters, digits, `-` and `_`",
                name.get_ref()
            ),
        )),
        name => Ok(name.as_ref().map(|name| name.get_ref().clone())),
    }
}

/// What is asked of one function.
fn terms(task: &Task, (span, entry): (Span, &str)) -> Result<Terms, Wrong> {
    if !is_identifier(entry) {
        return Err((span, format!("`{entry}` is not the name of a function")));
    }
    for (span, text) in each(&task.define) {
        definition(text).map_err(|message| (span, message))?;
    }
    for (span, text) in each(&task.waive) {
        text.parse::<Waiver>().map_err(|message| (span, message))?;
    }
    let checks: BTreeSet<Extra> = task.checks.values().iter().copied().collect();
    Ok(Terms {
        entry: entry.to_owned(),
        define: task.define.get_ref().values().to_vec(),
        include: task.include.values().to_vec(),
        checks: checks.into_iter().collect(),
        allocation: task.allocation,
        waive: task.waive.get_ref().values().to_vec(),
    })
}

/// How hard the task is tried.
fn effort(task: &Task) -> Result<Effort, Wrong> {
    let time = |seconds: &Spanned<f64>| {
        let wrong = |_| {
            (
                seconds.span(),
                String::from("a time is a number of seconds, or 0 for no limit"),
            )
        };
        Duration::try_from_secs_f64(*seconds.get_ref()).map_err(wrong)
    };
    let memory =
        |text: &Spanned<String>| size(text.get_ref()).map_err(|message| (text.span(), message));
    Ok(Effort {
        engine: task.engine.map(Engine::word),
        solver: task.solver.map(Solver::word),
        steps: task.steps,
        timeout: task.timeout.as_ref().map(time).transpose()?,
        memory: task.memory.as_ref().map(memory).transpose()?,
    })
}
