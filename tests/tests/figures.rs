//! The lines of code that `docs/trust.md` says are trusted are those that there are.

use goatherd_tests::{lines::code_lines, workspace_root};
use std::fs;

/// Lines of code of the Rust files of a folder, by name.
fn counts(folder: &str) -> Vec<(String, usize)> {
    let entries = fs::read_dir(workspace_root().join(folder)).expect("a folder");
    let mut counts: Vec<_> = entries
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, code_lines(&fs::read_to_string(path).expect("a source")))
        })
        .collect();
    counts.sort();
    counts
}

fn total(folder: &str) -> usize {
    counts(folder).iter().map(|(_, lines)| lines).sum()
}

/// As the text writes them: 5,469.
fn written(lines: usize) -> String {
    if lines < 1000 { lines.to_string() } else { format!("{},{:03}", lines / 1000, lines % 1000) }
}

#[test]
fn what_is_trusted_has_so_many_lines() {
    let text = fs::read_to_string(workspace_root().join("docs/trust.md")).expect("the page");
    let kernel = counts("checker/src");
    let listed: Vec<String> = kernel.iter().map(|(name, lines)| format!("`{name}` {lines}")).collect();
    let of = |name: &str, counts: &[(String, usize)]| counts.iter().find(|(other, _)| other == name).map_or(0, |(_, lines)| *lines);
    let linked = ["fold", "unfold", "leaks", "subsume"].iter().map(|name| of(name, &kernel)).sum();
    let data = counts("certificates/src");
    let claim = |name: &str| written(total(&format!("checker/claims/{name}/src")));
    let expected = [
        format!("{} in the kernel ({})", written(total("checker/src")), listed.join(", ")),
        format!(
            "{} of data types, of which {} name the reasons for rejections, and {} and {} are of tree models and formulas",
            written(total("certificates/src")),
            of("rejection", &data),
            of("automata", &data),
            of("formula", &data)
        ),
        format!("Linked heaps take at most {} of these", written(linked)),
        format!("but the {} lines that hand a certificate to the crate of its claim", written(total("checker/claims/src"))),
        format!(
            "`Paths` has {} lines more, tree models {}, ground runs {}, formulas {}",
            claim("paths"),
            claim("trees"),
            claim("runs"),
            claim("unsatisfiable")
        ),
    ];
    for phrase in expected {
        assert!(text.contains(&phrase), "docs/trust.md does not say: {phrase}");
    }
}
