//! Assertions that do nothing in the program of a certificate (`--waive`): those that the command line allows, and no others.

use crate::demands::Difference;
use goatherd_certificates::certificate::Origin;
use goatherd_frontend::lower::Waiver;

/// The assertions that are waived, where these are not the ones that were asked for, or not those that do nothing in the
/// program as it was read now: a line may name several, of which a certificate might list one. What it says of them is
/// checked with `--source` alone; then a waiver that was not asked for makes another program.
pub fn difference(
    asked: &[Waiver],
    read: Option<&[String]>,
    origin: &Origin,
) -> Option<Difference> {
    let waived: Vec<Option<Waiver>> = origin.waived.iter().map(|text| text.parse().ok()).collect();
    let is_asked_for = |waived: &Option<Waiver>| {
        let covers = |asked| {
            waived
                .as_ref()
                .is_some_and(|waived| covers(asked, waived, origin))
        };
        asked.iter().any(covers)
    };
    let is_waived = |asked: &Waiver| {
        waived
            .iter()
            .flatten()
            .any(|waived| covers(asked, waived, origin))
    };
    let is_same = waived.iter().all(is_asked_for) && asked.iter().all(is_waived);
    let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
    let wanted = if is_same {
        read.filter(|read| *read != origin.waived)
    } else {
        Some(asked.as_slice())
    };
    wanted.map(|wanted| Difference::new("waived assertions", list(wanted), list(&origin.waived)))
}

/// Does a waiver of the command line name what the certificate says is waived?
fn covers(asked: &Waiver, waived: &Waiver, origin: &Origin) -> bool {
    let file = asked.file.as_ref().unwrap_or(&origin.file);
    waived.file.as_ref() == Some(file)
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
