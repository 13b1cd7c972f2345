//! The C compiler confirms what the front end believes of all programs of the project.

use goatherd_frontend::{
    confirm::{Confirmed, Inquiry},
    lower::{Leaks, lower_and_believe},
    source::{Options, Unit, from_text, load},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

/// The folders of programs whose entry is `test`, and how many there are at least.
const FOLDERS: [(&str, usize); 6] =
    [("examples", 40), ("tests/programs", 60), ("tests/linked", 40), ("tests/leaks", 2), ("tests/refined", 2), ("tests/controls", 2)];

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut programs = Vec::new();
    for (folder, least) in FOLDERS {
        let entries = fs::read_dir(root.join(folder)).expect("the folder is there").map(|entry| entry.expect("it is read").path());
        let own: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
        assert!(own.len() >= least, "{folder} has {} programs", own.len());
        programs.extend(own);
    }
    programs
}

/// What the compiler says of a program; nothing of one that is not supported.
fn confirmed(path: &Path) -> Option<Confirmed> {
    let options = Options::default();
    judged(&load(path, &options).ok()?, &options)
}

fn judged(unit: &Unit, options: &Options) -> Option<Confirmed> {
    let (_, beliefs) = lower_and_believe(unit, &options.entry, &Leaks::Ignored.into()).ok()?;
    Some(Inquiry::start(unit, &beliefs).wait())
}

#[test]
fn all_programs_are_confirmed() {
    let programs = programs();
    let (next, others) = (Mutex::new(programs.iter()), Mutex::new(Vec::new()));
    let facts = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = next.lock().ok().and_then(|mut next| next.next()) {
            match confirmed(path) {
                Some(Confirmed::Confirmed { facts: count, .. }) => facts.lock().unwrap().push(count),
                Some(other) => others.lock().unwrap().push(format!("{}: {other}", path.display())),
                None => {}
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let (others, facts) = (others.into_inner().unwrap(), facts.into_inner().unwrap());
    assert!(others.is_empty(), "{others:#?}");
    let total: usize = facts.iter().sum();
    println!("{} programs, {total} facts", facts.len());
    assert!(10 * facts.len() >= 9 * programs.len(), "{} of {} programs are supported", facts.len(), programs.len());
}

/// They return int for compilers, which nobody uses.
#[test]
fn functions_of_harnesses_need_no_declaration() {
    let options = Options::default();
    for call in ["__VERIFIER_fail()", "__VERIFIER_assert(x > 0)", "__VERIFIER_assume(x == __VERIFIER_nondet_int())"] {
        let unit = from_text("f.c", &format!("void test(int x) {{ if (x) {call}; }}"), &options).expect("a unit");
        assert!(matches!(judged(&unit, &options), Some(Confirmed::Confirmed { .. })), "{call}");
    }
}

/// What is assigned to a bit-field is of a type that only compilers have, also where the bits lie in the cell of a pointer.
#[test]
fn values_of_bit_fields_are_confirmed() {
    let options = Options::default();
    for union in ["union", "struct"] {
        for change in ["x.a = 3", "x.a += 2", "x.a++", "--x.l", "x.u = y", "(x.a = 1) ?: 2", "x.i = 4", "x.i *= 2"] {
            let members = "int a : 5; long l : 31; unsigned long u : 31; int i; int *p;";
            let text = format!("void test(int y) {{ {union} {{ {members} }} x; y = {change}; y = -(x.a = 1) + ({change}, 0); }}");
            let unit = from_text("f.c", &text, &options).expect("a unit");
            let judged = judged(&unit, &options).expect("it is supported");
            assert!(matches!(judged, Confirmed::Confirmed { .. }), "{text}: {judged}");
        }
    }
}

#[test]
fn what_has_no_tag_or_value_is_confirmed() {
    let options = Options::default();
    for text in [
        "int f(int n) { return n; } void test(void) { (&f)(1); (*f)(2); (&*f)(3); }",
        "void test(int n) { n ? 0 : reach_error(); n ? (void)0 : reach_error(); ({ reach_error(); }); }",
        "void test(int n) { for (struct { int a; struct { char b; } c; } x = { 3 }; x.a > 0; x.a--) n += x.c.b; }",
        "void test(int n) { for (int i = sizeof(struct { char c; }); i < n; i++) n -= sizeof(struct { int a; }); }",
        "void test(int n) { for (int i = 0; i < n; i++) { struct { long l; } x = { i }; n -= x.l; } }",
    ] {
        let unit = from_text("f.c", text, &options).expect("a unit");
        let judged = judged(&unit, &options).unwrap_or_else(|| panic!("{text}"));
        assert!(matches!(judged, Confirmed::Confirmed { .. }), "{text}: {judged}");
    }
}
