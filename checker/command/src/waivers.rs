//! Assertions that do nothing in the program of a certificate (`--waive`): those that the command line allows, and no others.

use crate::demands::Difference;
use goatherd_certificates::certificate::Origin;
use goatherd_frontend::lower::Waiver;
use std::{collections::BTreeSet, path::Path};

/// The assertions that are waived, where these are not the ones that were asked for. Where the source has been read, these are those that do
/// nothing in it: what a waiver names is then known, each of several on a line. Without it, there is only what the certificate says of them;
/// if it does not say all, that shows with `--source`, since the program is another one.
pub fn difference(
    asked: &[Waiver],
    read: Option<&[String]>,
    origin: &Origin,
) -> Option<Difference> {
    let is_same = read.map_or_else(
        || are_named(asked, origin),
        |read| read == origin.waived.as_slice(),
    );
    let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
    let wanted = read.unwrap_or(&asked);
    (!is_same).then(|| Difference::new("waived assertions", list(wanted), list(&origin.waived)))
}

/// Is each of what the certificate says is waived asked for, and does what is asked for name assertions of one file there?
fn are_named(asked: &[Waiver], origin: &Origin) -> bool {
    let waived: Option<Vec<Waiver>> = origin.waived.iter().map(|text| text.parse().ok()).collect();
    let Some(waived) = waived else { return false };
    let is_asked_for = |waived: &Waiver| asked.iter().any(|asked| covers(asked, waived, origin));
    let is_of_one_file = |asked: &Waiver| {
        let named = waived.iter().filter(|waived| covers(asked, waived, origin));
        let files: BTreeSet<_> = named.map(|waived| &waived.file).collect();
        files.len() == 1
    };
    waived.iter().all(is_asked_for) && asked.iter().all(is_of_one_file)
}

/// May a waiver of the command line name what the certificate says is waived? Either may give more folders of the file than the other.
fn covers(asked: &Waiver, waived: &Waiver, origin: &Origin) -> bool {
    let file = Path::new(asked.file.as_ref().unwrap_or(&origin.file));
    let is_file = waived
        .file
        .as_deref()
        .map(Path::new)
        .is_some_and(|waived| waived.ends_with(file) || file.ends_with(waived));
    is_file
        && waived.line == asked.line
        && (asked.column.is_none() || asked.column == waived.column)
}

/// Places in one line.
pub fn list(places: &[String]) -> String {
    if places.is_empty() {
        String::from("none")
    } else {
        places.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::difference;
    use goatherd_certificates::certificate::Origin;

    #[test]
    fn waivers_are_those_that_were_asked_for() {
        let origin = |waived: &[&str]| Origin {
            file: String::from("a.c"),
            digest: [0; 32],
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: waived.iter().map(ToString::to_string).collect(),
        };
        let differs = |asked: &[&str], waived: &[&str]| {
            let asked: Vec<_> = asked.iter().map(|text| text.parse().unwrap()).collect();
            difference(&asked, None, &origin(waived)).is_some()
        };
        assert!(!differs(&[], &[]));
        assert!(!differs(&["39"], &["a.c:39:5"]));
        assert!(!differs(&["39"], &["a.c:39:5", "a.c:39:20"]));
        assert!(!differs(&["a.c:39:5", "b.h:7"], &["a.c:39:5", "b.h:7:1"]));
        assert!(differs(&[], &["a.c:39:5"]));
        assert!(differs(&["39"], &[]));
        assert!(differs(&["39"], &["b.h:39:5"]));
        assert!(differs(&["a.c:39:6"], &["a.c:39:5"]));
        assert!(differs(&["39", "40"], &["a.c:39:5"]));
        assert!(differs(&["39"], &["a.c:39:5", "a.c:40:5"]));
        assert!(differs(&[], &["anything"]));
        // Folders that tell two files of one name apart.
        assert!(!differs(&["x/b.h:7"], &["b.h:7:1"]));
        assert!(!differs(&["b.h:7"], &["x/b.h:7:1"]));
        assert!(differs(&["b.h:7"], &["x/b.h:7:1", "y/b.h:7:1"]));
        assert!(differs(&["x/b.h:7"], &["x/b.h:7:1", "y/b.h:7:1"]));
        assert!(!differs(
            &["x/b.h:7", "y/b.h:7"],
            &["x/b.h:7:1", "y/b.h:7:1"]
        ));
        assert!(differs(&["x/b.h:7"], &["ax/b.h:7:1"]));
    }

    #[test]
    fn all_that_a_line_names_are_listed() {
        let origin = Origin {
            file: String::from("a.c"),
            digest: [0; 32],
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: vec![String::from("a.c:39:5")],
        };
        let asked = ["39".parse().unwrap()];
        let read = |places: &[&str]| places.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(difference(&asked, Some(&read(&["a.c:39:5"])), &origin).is_none());
        let found = difference(&asked, Some(&read(&["a.c:39:5", "a.c:39:20"])), &origin).unwrap();
        assert_eq!(
            (found.asked, found.certificate),
            (
                String::from("a.c:39:5, a.c:39:20"),
                String::from("a.c:39:5")
            )
        );
    }
}
