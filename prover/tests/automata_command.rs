//! `goatherd automata` from outside: answers, exit statuses, files, and what is refused.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const ALL: &str = "\
Ops zero:0 next:1
Automaton all
States any
Final States any
Transitions
zero -> any
next(any) -> any
";

const EVEN: &str = "\
Ops zero:0 next:1
Automaton even
States even odd
Final States even
Transitions
zero -> even
next(even) -> odd
next(odd) -> even
";

/// A directory of this test with two automata.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("automata").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("all.timbuk"), ALL).unwrap();
    fs::write(path.join("even.timbuk"), EVEN).unwrap();
    path
}

fn goatherd(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.current_dir(directory).arg("automata").args(arguments.split_whitespace()).output().unwrap()
}

/// The exit status, and what was printed.
fn answer(directory: &Path, arguments: &str) -> (i32, String) {
    let output = goatherd(directory, arguments);
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn inclusion_is_answered_with_what_shows_it() {
    let directory = directory("inclusion");
    let (status, text) = answer(&directory, "inclusion even.timbuk all.timbuk --witness witness.json");
    assert_eq!((status, text.as_str()), (0, "included\n  shown by: simulation with 2 pairs, checked\n"));
    let witness = fs::read_to_string(directory.join("witness.json")).unwrap();
    assert_eq!(witness, "{\"kind\":\"simulation\",\"pairs\":[[\"even\",\"any\"],[\"odd\",\"any\"]],\"unreached\":[]}\n");
    for method in ["upward", "downward"] {
        let (status, text) = answer(&directory, &format!("inclusion all.timbuk even.timbuk --method {method}"));
        assert_eq!((status, text.as_str()), (1, "not included\n  next(zero)\n"));
        let (status, text) = answer(&directory, &format!("inclusion all.timbuk even.timbuk --steps 1 --method {method}"));
        assert_eq!((status, text.as_str()), (2, "undecided: the bound on steps was met\n"));
    }
    let (status, text) = answer(&directory, "inclusion all.timbuk even.timbuk --json");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &value["answer"], &value["tree"]["term"]), (1, &"no".into(), &"next(zero)".into()));
}

#[test]
fn results_are_automata_again() {
    let directory = directory("results");
    assert_eq!(answer(&directory, "complement even.timbuk -o odd.timbuk"), (0, String::new()));
    assert_eq!(answer(&directory, "emptiness odd.timbuk"), (1, "not empty\n  next(zero)\n".to_owned()));
    assert_eq!(answer(&directory, "intersection even.timbuk odd.timbuk -o none.timbuk"), (0, String::new()));
    assert_eq!(answer(&directory, "emptiness none.timbuk"), (0, "empty\n".to_owned()));
    assert_eq!(answer(&directory, "union even.timbuk odd.timbuk -o both.timbuk"), (0, String::new()));
    assert_eq!(answer(&directory, "inclusion all.timbuk both.timbuk").0, 0);
    let (status, reduced) = answer(&directory, "reduce all.timbuk");
    assert_eq!(status, 0);
    insta::assert_snapshot!("reduced", reduced);
    let (status, picture) = answer(&directory, "dot even.timbuk");
    assert_eq!(status, 0);
    insta::assert_snapshot!("picture", picture);
    let mut left: Vec<_> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["all.timbuk", "both.timbuk", "even.timbuk", "none.timbuk", "odd.timbuk"], "nothing partial is left");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let directory = directory("refused");
    fs::write(directory.join("wrong.timbuk"), EVEN.replace("next(odd)", "next(old)")).unwrap();
    let mut messages = String::new();
    for arguments in [
        "emptiness wrong.timbuk",
        "emptiness nothing.timbuk",
        "inclusion even.timbuk",
        "reduce even.timbuk -o even.timbuk",
        "reduce even.timbuk -o nowhere/even.timbuk",
    ] {
        let output = goatherd(&directory, arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments}");
        messages += &String::from_utf8(output.stderr).unwrap();
    }
    insta::assert_snapshot!("refused", messages);
    assert_eq!(fs::read_to_string(directory.join("even.timbuk")).unwrap(), EVEN);
}

#[test]
fn names_that_cannot_be_seen_are_refused() {
    let directory = directory("hidden");
    for (place, text) in [
        ("even\n", EVEN.replacen("even\n", "ev\u{200b}en\n", 1)),
        ("zero", EVEN.replace("zero", "ze\u{202e}ro")),
        ("odd", EVEN.replace("odd", "o\u{ad}dd")),
    ] {
        fs::write(directory.join("hidden.timbuk"), text).unwrap();
        for question in ["dot hidden.timbuk", "emptiness hidden.timbuk", "union all.timbuk hidden.timbuk"] {
            let output = goatherd(&directory, question);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{place}: {message}");
            assert!(message.contains("has characters that cannot be seen") && message.contains("\\u{"), "{message}");
        }
    }
    assert_eq!(goatherd(&directory, "dot even.timbuk").status.code(), Some(0));
}
