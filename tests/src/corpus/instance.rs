//! What is to be verified of the functions: `tests/corpus/instances.tsv`, and a line for each miss in `tests/corpus/explanations.tsv`.

use std::collections::BTreeMap;

/// One row of `tests/corpus/instances.tsv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Its name, and that of its harness.
    pub id: String,
    /// `string`, `list` or `tree`.
    pub class: String,
    /// `correctness`, `equivalence` or `memsafe`.
    pub kind: String,
    /// The manifest's functions that it is about.
    pub functions: Vec<String>,
    /// Whether the property holds.
    pub holds: bool,
    /// What is to be verified.
    pub property: String,
    /// Why it does not hold, or what makes it hard.
    pub note: String,
}

/// Reads the list of instances; an error names the first line that is not of the form.
pub fn read_instances(text: &str) -> Result<Vec<Instance>, String> {
    let rows = text.lines().enumerate().skip(1);
    rows.map(|(index, line)| read_row(line).ok_or_else(|| format!("instances, line {}: bad row", index + 1))).collect()
}

fn read_row(line: &str) -> Option<Instance> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, class, kind, functions, expected, property, note] = fields[..] else {
        return None;
    };
    let holds = match expected {
        "true" => true,
        "false" => false,
        _ => return None,
    };
    Some(Instance {
        id: id.into(),
        class: class.into(),
        kind: kind.into(),
        functions: functions.split(',').map(str::to_owned).collect(),
        holds,
        property: property.into(),
        note: note.into(),
    })
}

/// Reads rows of a program's name, or a class, and why it is not decided as expected.
pub fn read_explanations(text: &str) -> Result<BTreeMap<String, String>, String> {
    let rows = text.lines().enumerate().skip(1);
    rows.map(|(index, line)| {
        let (name, reason) = line.split_once('\t').ok_or_else(|| format!("explanations, line {}: bad row", index + 1))?;
        Ok((name.to_owned(), reason.to_owned()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{read_explanations, read_instances};

    #[test]
    fn reads_a_row() {
        let rows = read_instances("header\nstr\tstring\tmemsafe\tf,g\tfalse\tf is safe.\tno room\n").expect("a good row");
        assert_eq!((rows[0].functions.len(), rows[0].holds, rows[0].note.as_str()), (2, false, "no room"));
    }

    #[test]
    fn refuses_a_bad_row() {
        assert!(read_instances("header\nstr\tstring\tmemsafe\tf\tperhaps\tp\t\n").is_err());
        assert!(read_instances("header\nstr\tstring\n").is_err());
        assert!(read_explanations("header\nstr\n").is_err());
    }
}
