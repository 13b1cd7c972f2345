//! `--source` more than once, and `--undefined`: programs of several files, and functions that none of them defines.

use crate::{
    made::proved_files,
    running::{file, run},
};
use goatherd_frontend::lower::Undefined;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Both files have a counter of their own.
const MAIN: &str = "\
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);
int step(int by);
static int count;
int main(void)
{
    count = __VERIFIER_nondet_int() == 3;
    __VERIFIER_assert(count >= 0 && step(2) == 2);
    return 0;
}
";

const STEP: &str = "\
int step(int by);
static int count;
int step(int by)
{
    count = by;
    return count;
}
";

/// Writes files of these texts, and gives their paths.
fn written(folder: &str, texts: &[(&str, &str)]) -> Vec<PathBuf> {
    let folder = file(folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in texts {
        fs::write(folder.join(name), text).unwrap();
    }
    texts.iter().map(|(name, _)| folder.join(name)).collect()
}

/// The exit status, and all that is printed. Each folder has a certificate of its own, as tests run at the same time.
fn against(certificate: &[u8], paths: &[PathBuf], arguments: &[&str]) -> (i32, String) {
    let folder = paths[0].parent().and_then(Path::file_name).unwrap();
    let name = format!("{}.goat", folder.to_str().unwrap());
    let sources = paths
        .iter()
        .flat_map(|path| ["--source", path.to_str().unwrap()]);
    let arguments: Vec<&str> = sources.chain(arguments.iter().copied()).collect();
    let (status, verdict, errors) = run(&name, certificate, &arguments);
    (status, verdict + &errors)
}

#[test]
fn a_program_of_several_files_is_linked_again() {
    let entry: &[&str] = &["--entry", "main"];
    let same = written("linked", &[("main.c", MAIN), ("step.c", STEP)]);
    let certificate = proved_files(&same, Undefined::Refused);
    let (status, verdict) = against(&certificate, &same, entry);
    assert_eq!(status, 0, "{verdict}");
    for said in [
        "made from   main.c step.c,",
        "is this program (the files are unchanged)",
    ] {
        assert!(verdict.contains(said), "{said}: {verdict}");
    }
    // Which file keeps the name of its counter depends on the order.
    let turned = [same[1].clone(), same[0].clone()];
    let (status, verdict) = against(&certificate, &turned, entry);
    assert_eq!(status, 4, "{verdict}");
    let (status, verdict) = against(&certificate, &same[..1], entry);
    assert_eq!(status, 3, "{verdict}");
    assert!(verdict.contains("a call of 'step'"), "{verdict}");
    let comment = STEP.replacen("count = by", "/* so many */ count = by", 1);
    let paths = written("linked-comment", &[("main.c", MAIN), ("step.c", &comment)]);
    let (status, verdict) = against(&certificate, &paths, entry);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("is this program (not the very files that it was made from"),
        "{verdict}"
    );
    // A file that nothing is used of is said to be one more.
    let unused = written(
        "linked-more",
        &[("more.c", "int more(void) { return 1; }\n")],
    );
    let (status, verdict) = against(&certificate, &[&same[..], &unused].concat(), entry);
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("not the very files"), "{verdict}");
    // What another counter holds is another program, also where the first file is the same.
    let other = STEP.replacen("count = by", "count = by + 1", 1);
    let paths = written("linked-other", &[("main.c", MAIN), ("step.c", &other)]);
    let (status, verdict) = against(&certificate, &paths, entry);
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("step.c:5:"), "{verdict}");
    let shared = STEP.replacen("static int count", "extern int count", 1);
    let shown = MAIN.replacen("static int count", "int count", 1);
    let paths = written("linked-shared", &[("main.c", &shown), ("step.c", &shared)]);
    let (status, verdict) = against(&certificate, &paths, entry);
    assert_eq!(status, 4, "{verdict}");
    let twice = [same[0].clone(), same[0].clone()];
    let (status, verdict) = against(&certificate, &twice, entry);
    assert_eq!(status, 3, "{verdict}");
    assert!(verdict.contains("'main' is defined in"), "{verdict}");
}

#[test]
fn undefined_functions_are_any_value_where_that_is_asked_for() {
    let entry: &[&str] = &["--entry", "main"];
    let havoc: &[&str] = &["--entry", "main", "--undefined", "havoc"];
    let open = MAIN.replacen(" && step(2) == 2", "", 1);
    let open = open.replacen("return 0", "return step(1)", 1);
    let paths = written("undefined", &[("main.c", &open)]);
    let certificate = proved_files(&paths, Undefined::AnyValue);
    let (status, verdict) = against(&certificate, &paths, havoc);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("step, which is not defined, returns any value"),
        "{verdict}"
    );
    let (status, verdict) = against(&certificate, &paths, entry);
    assert_eq!(status, 3, "{verdict}");
    assert!(verdict.contains("a call of 'step'"), "{verdict}");
    // Any value is not what a definition says, nor is it the other way round.
    let defined = written("undefined-defined", &[("main.c", &open), ("step.c", STEP)]);
    assert_eq!(against(&certificate, &defined, havoc).0, 4);
    let own = proved_files(&defined, Undefined::Refused);
    assert_eq!(against(&own, &defined, havoc).0, 0);
    assert_eq!(against(&own, &paths, havoc).0, 4);
    let paths = written("undefined-other", &[("main.c", MAIN)]);
    assert_eq!(against(&certificate, &paths, havoc).0, 4);
    for arguments in [
        &["--entry", "main", "--undefined", "any"][..],
        &["--undefined"],
    ] {
        assert_eq!(against(&certificate, &paths, arguments).0, 3);
    }
    let (status, _, errors) = run("undefined.goat", &certificate, &["--undefined", "havoc"]);
    assert_eq!(status, 3, "{errors}");
}
