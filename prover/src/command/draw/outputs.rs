//! Files that are written beside the report.

use super::{
    arguments::Draw,
    certificate::Checked,
    library,
    original::{self, Original},
    report::{Report, line},
    sample::{Drawn, Sample},
};
use crate::command::{Trouble, output};
use goatherd_certificates::{
    certificate::{Claim, Ends},
    program::Location,
};
use goatherd_paths::draw::{
    c::{
        self, Unwritable,
        subject::{Source, Subject, Test},
    },
    realise::{Drive, Realised},
};
use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Which files to write.
pub struct Outputs {
    reports: Vec<PathBuf>,
    /// Files of a line for each path, which are written as paths are tried.
    lines: Vec<PathBuf>,
    tests: Vec<Tests>,
}

/// A file of tests in C.
struct Tests {
    path: PathBuf,
    /// By its own name, not as one of the files of a directory.
    is_asked_for: bool,
}

impl Outputs {
    /// By the names that the command line gives.
    pub fn new(arguments: &Draw) -> Result<Self, Trouble> {
        let mut outputs = Self { reports: Vec::new(), lines: Vec::new(), tests: Vec::new() };
        for path in &arguments.out {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("json") => outputs.reports.push(path.clone()),
                Some("jsonl") => outputs.lines.push(path.clone()),
                Some("c") => outputs.tests.push(Tests { path: path.clone(), is_asked_for: true }),
                _ if path.is_dir() => {
                    outputs.reports.push(path.join("paths.json"));
                    outputs.tests.push(Tests { path: path.join("tests.c"), is_asked_for: false });
                }
                _ => {
                    let path = path.display();
                    return Err(Trouble::Usage(format!(
                        "--out {path}: neither a directory that exists nor a file that ends in .json, .jsonl or .c"
                    )));
                }
            }
        }
        for path in outputs.reports.iter().chain(&outputs.lines).chain(outputs.tests.iter().map(|tests| &tests.path)) {
            output::check(path, &arguments.certificate)?;
            if let Some(source) = &arguments.source {
                output::check(path, source)?;
            }
        }
        Ok(outputs)
    }

    /// Begins the files that have a line for each path.
    pub fn begin(&self) -> Result<Lines, Trouble> {
        let create = |path: &PathBuf| File::create(path).map(|file| (path.clone(), file)).map_err(|error| unwritable(path, &error));
        Ok(Lines { files: self.lines.iter().map(create).collect::<Result<_, _>>()? })
    }

    /// Writes all others. Where a claim has no tests in C, that is an error only if they were asked for by name.
    pub fn write(&self, report: &Report, drawn: &Sample, checked: &Checked, original: Option<&Original>) -> Result<(), Trouble> {
        self.reports.iter().try_for_each(|path| output::write(path, report.json().as_bytes()))?;
        for Tests { path, is_asked_for } in &self.tests {
            match tests(path, drawn, checked, original) {
                Ok(text) => output::write(path, text.as_bytes())?,
                Err(Unwritable::Unbounded | Unwritable::Prefix) if !is_asked_for => {}
                Err(reason) => return Err(Trouble::Usage(format!("cannot write {}: {reason}", path.display()))),
            }
        }
        Ok(())
    }
}

/// Files with a line of JSON for each path that was tried.
pub struct Lines {
    files: Vec<(PathBuf, File)>,
}

impl Lines {
    /// Adds a path, which can be read at once.
    pub fn add(&mut self, number: usize, checked: &Checked, drawn: &Drawn) -> Result<(), Trouble> {
        if self.files.is_empty() {
            return Ok(());
        }
        let line = line(number, checked, drawn);
        self.files.iter_mut().try_for_each(|(path, file)| file.write_all(line.as_bytes()).map_err(|error| unwritable(path, &error)))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Trouble {
    Trouble::Usage(format!("cannot write {}: {error}", path.display()))
}

fn tests(path: &Path, drawn: &Sample, checked: &Checked, original: Option<&Original>) -> Result<String, Unwritable> {
    if checked.verdict.claim == Claim::Paths(Ends::Anywhere) {
        return Err(Unwritable::Prefix);
    }
    let driven = drawn.paths.iter().enumerate().filter_map(|(number, path)| match &path.realised {
        Some(Realised::Feasible(drive)) => Some((number, &path.instructions[..], drive)),
        _ => None,
    });
    of_runs(path, driven, checked, original)
}

/// The text of a file of tests: of each the number, the instructions, and what drives it.
pub fn of_runs<'a>(
    path: &Path,
    runs: impl Iterator<Item = (usize, &'a [Location], &'a Drive)>,
    checked: &Checked,
    original: Option<&Original>,
) -> Result<String, Unwritable> {
    let statement = &checked.statement;
    let directory = output::directory(path);
    let seen = |path: &Path| output::seen_from(&directory, path).to_string_lossy().into_owned();
    let included = original.map(|original| seen(&original.path));
    let text = original.map(Original::text);
    let include_directories: Vec<String> = original.iter().flat_map(|original| &original.include).map(|path| seen(path)).collect();
    let models = text.as_deref().map(library::models).unwrap_or_default();
    let source = included.as_deref().zip(text.as_deref()).map(|(file, text)| Source {
        file,
        text,
        definitions: &statement.origin.definitions,
        include_directories: &include_directories,
        models: &models,
    });
    let subject = Subject { program: &statement.program, parameters: statement.parameters, source };
    let test = |(number, path, drive)| {
        let returned = original.and_then(|_| original::returned(checked, drive));
        Test { number, path, drive, returned }
    };
    let tests: Vec<Test<'_>> = runs.map(test).collect();
    c::write(subject, &tests)
}
