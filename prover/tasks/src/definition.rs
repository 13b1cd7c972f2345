//! Task definitions, format 2.0 of `BenchExec`: the program, what is asked of it, and what is expected.

use crate::text;
use goatherd_frontend::diagnostics::{Kind, Report};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, SeqAccess, Visitor},
};
use serde_saphyr::{Location, MessageFormatter, Spanned, UserMessageFormatter};
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A task: which program, and what is asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskDefinition {
    /// The program, as paths from the current directory.
    pub files: Vec<PathBuf>,
    /// What is asked of it, in the order of the file.
    pub questions: Vec<AskedProperty>,
}

/// A property that is asked of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedProperty {
    /// The property file, as a path from the current directory.
    pub file: PathBuf,
    /// The answer, where it is known.
    pub expected: Option<ExpectedVerdict>,
}

/// The answer that a task definition expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedVerdict {
    /// Does the program have the property?
    pub holds: bool,
    /// If not: which part it violates, where that is said.
    pub violated: Option<String>,
}

/// The versions of the format that mean what is read here.
const VERSIONS: [&str; 2] = ["2.0", "2.1"];

/// A word that is not known here could change what is asked, as `Options:` would if it were passed over.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format_version: Spanned<String>,
    input_files: Spanned<Names>,
    #[serde(default)]
    properties: Vec<Asked>,
    #[serde(default)]
    options: Options,
    /// Files that go with the program, such as headers, and notes for people: they change nothing here.
    #[serde(default, rename = "required_files")]
    _required_files: IgnoredAny,
    #[serde(default, rename = "additional_information")]
    _additional_information: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    property_file: Spanned<String>,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

/// What is said of the language; an option that is not known here could change what the program is.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Options {
    language: Option<Spanned<String>>,
    data_model: Option<Spanned<String>>,
}

/// One name, or a list of names.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Names;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the name of a file, or a list of names")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Names, E> {
                Ok(Names(vec![name.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Names, A::Error> {
                let mut all = Vec::new();
                while let Some(name) = names.next_element()? {
                    all.push(name);
                }
                Ok(Names(all))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

impl TaskDefinition {
    /// Reads a task definition.
    ///
    /// # Errors
    ///
    /// It cannot be read, is none, or asks for what is not supported: another version, language or data model.
    pub fn read(path: &Path) -> Result<TaskDefinition, Box<Report>> {
        let text = text(path)?;
        let name = path.to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, folder).map_err(|(kind, location, message)| {
            let mut report = Report::of_file(kind, &name, message);
            let number = |number: u64| u32::try_from(number).ok().filter(|number| *number > 0);
            (report.line, report.column) = (number(location.line()), number(location.column()));
            let line = report.line.and_then(|line| text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?));
            report.source_line = line.map(str::to_owned);
            Box::new(report)
        })
    }
}

type Wrong = (Kind, Location, String);

fn parse(text: &str, folder: &Path) -> Result<TaskDefinition, Wrong> {
    let document: Document = serde_saphyr::from_str(text).map_err(|error| {
        let location = error.location().unwrap_or(Location::UNKNOWN);
        let reason = UserMessageFormatter.format_message(error.without_snippet()).into_owned();
        (Kind::Error, location, format!("no task definition: {reason}"))
    })?;
    let unsupported = |place: Location, what: String| Err((Kind::Unsupported, place, what));
    let Document { format_version, input_files, properties, options, .. } = document;
    if !VERSIONS.contains(&format_version.value.as_str()) {
        return unsupported(format_version.referenced, format!("format version {}", format_version.value));
    }
    if let Some(language) = options.language.filter(|language| language.value != "C") {
        return unsupported(language.referenced, format!("the language {}", language.value));
    }
    if let Some(model) = options.data_model.filter(|model| model.value != "LP64") {
        return unsupported(model.referenced, format!("the data model {}: it is LP64 that programs are read under", model.value));
    }
    let Names(names) = input_files.value;
    if names.is_empty() {
        return Err((Kind::Error, input_files.referenced, "a task without a program".to_owned()));
    }
    if let Some(name) = names.iter().find(|name| name.contains(['*', '?', '['])) {
        return unsupported(input_files.referenced, format!("a pattern for names of files: {name}"));
    }
    let files = names.iter().map(|name| folder.join(name)).collect();
    let question = |Asked { property_file, expected_verdict, subproperty }| AskedProperty {
        file: folder.join(property_file.value),
        expected: expected_verdict.map(|holds| ExpectedVerdict { holds, violated: subproperty }),
    };
    Ok(TaskDefinition { files, questions: properties.into_iter().map(question).collect() })
}

#[cfg(test)]
mod tests {
    use super::{AskedProperty, ExpectedVerdict, Kind, Path, TaskDefinition, parse};

    const TASK: &str = "\
format_version: '2.0'

input_files: 'list.i'

properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-memtrack
  - property_file: ../properties/coverage-branches.prp

options:
  language: C
  data_model: LP64
";

    #[test]
    fn a_task_names_its_program_and_what_is_asked_of_it() {
        let question = |name: &str, expected: Option<(bool, Option<&str>)>| AskedProperty {
            file: Path::new("tasks/../properties").join(name),
            expected: expected.map(|(holds, violated)| ExpectedVerdict { holds, violated: violated.map(str::to_owned) }),
        };
        let questions = vec![
            question("unreach-call.prp", Some((true, None))),
            question("valid-memsafety.prp", Some((false, Some("valid-memtrack")))),
            question("coverage-branches.prp", None),
        ];
        let expected = TaskDefinition { files: vec!["tasks/list.i".into()], questions };
        assert_eq!(parse(TASK, Path::new("tasks")), Ok(expected));
        let several = TASK.replace("'list.i'", "\n  - a.c\n  - b.c");
        let files = parse(&several, Path::new("")).map(|task| task.files);
        assert_eq!(files, Ok(vec!["a.c".into(), "b.c".into()]));
        let plain = TASK.replace("'2.0'", "2.0").replace("  data_model: LP64\n", "");
        assert!(parse(&plain, Path::new("")).is_ok());
        let more = format!("{TASK}required_files: [list.h]\nadditional_information:\n  origin: a paper\n");
        assert!(parse(&more, Path::new("")).is_ok());
    }

    #[test]
    fn what_is_no_task_is_refused_where_it_stands() {
        for (from, to, kind, line) in [
            ("'2.0'", "'1.0'", Kind::Unsupported, 1),
            ("'2.0'", "3", Kind::Unsupported, 1),
            ("format_version: '2.0'\n", "", Kind::Error, 12),
            ("'list.i'", "[]", Kind::Error, 3),
            ("'list.i'", "{ a: b }", Kind::Error, 3),
            ("'list.i'", "'*.i'", Kind::Unsupported, 3),
            ("input_files: 'list.i'\n", "", Kind::Error, 12),
            ("expected_verdict: true", "expected_verdict: maybe", Kind::Error, 7),
            ("  - property_file: ../properties/unreach-call.prp\n  ", "  -", Kind::Error, 6),
            ("language: C", "language: Java", Kind::Unsupported, 14),
            ("data_model: LP64", "data_model: ILP32", Kind::Unsupported, 15),
            ("data_model: LP64", "data_model: lp64", Kind::Unsupported, 15),
            ("data_model: LP64", "word: 8", Kind::Error, 15),
            ("options:", "Options:", Kind::Error, 13),
            ("    subproperty: valid-memtrack", "    options: { data_model: ILP32 }", Kind::Error, 10),
            ("properties:", "properties: [", Kind::Error, 6),
            ("language: C", "language: C\n  language: C", Kind::Error, 15),
        ] {
            let (found, location, message) = parse(&TASK.replacen(from, to, 1), Path::new("")).expect_err(to);
            assert_eq!((found, location.line()), (kind, line), "{to}: {message}");
        }
    }
}
