//! Programs of other verifiers, as Goatherd reads them: each rule is the same for all programs, and adds lines in front or marks a label.
//!
//! - `nondet_int()` and its likes, where the program does not define them, are `__VERIFIER_nondet_int()`.
//! - `__CPROVER_assume` and `__CPROVER_assert` are `__VERIFIER_assume` and `__VERIFIER_assert`, and so are those of ESBMC.
//! - `__VERIFIER_plot`, which draws the heap, does nothing, also where no header that we stand in for declares it.
//! - Where a label `ERROR:` or `error_label:` stands before no failing call, to come there is to fail.

use std::fmt::Write as _;

/// Names for any value of a type, and the type as `__VERIFIER_nondet_` and as C names it.
const ARBITRARY: [(&str, &str, &str); 13] = [
    ("nondet_int", "int", "int"),
    ("nondet_uint", "uint", "unsigned"),
    ("nondet_bool", "bool", "_Bool"),
    ("nondet_char", "char", "char"),
    ("nondet_uchar", "uchar", "unsigned char"),
    ("nondet_short", "short", "short"),
    ("nondet_ushort", "ushort", "unsigned short"),
    ("nondet_ulong", "ulong", "unsigned long"),
    ("nondet_unsigned", "uint", "unsigned"),
    ("nondet_long", "long", "long"),
    ("__nondet", "int", "int"),
    ("__nondet_int", "int", "int"),
    ("nondet", "int", "int"),
];

const LABELS: [&str; 2] = ["ERROR", "error_label"];

const FAILING: [&str; 4] = ["reach_error", "__VERIFIER_error", "__VERIFIER_fail", "___sl_error"];

/// Where plots are declared; ours says that they do nothing.
const HEADER: &str = "<verifier-builtins.h>";

/// The program by these rules.
pub fn adapted(text: &str) -> String {
    let mut before = String::new();
    for (name, kind, ctype) in ARBITRARY {
        if calls(text, name).next().is_some() && !is_defined(text, name) {
            // Writing to a string does not fail.
            let _ = writeln!(before, "extern {ctype} __VERIFIER_nondet_{kind}(void);\n#define {name} __VERIFIER_nondet_{kind}");
        }
    }
    let is_plot_known = [HEADER, "void __VERIFIER_plot"].iter().any(|known| text.contains(known));
    if calls(text, "__VERIFIER_plot").next().is_some() && !is_plot_known {
        before += "#define __VERIFIER_plot(...) ((void)0)\n";
    }
    for (prefix, name) in ["__CPROVER_", "__ESBMC_"].iter().flat_map(|prefix| [(prefix, "assume"), (prefix, "assert")]) {
        if text.contains(&format!("{prefix}{name}")) {
            let _ = writeln!(before, "extern void __VERIFIER_{name}(int);\n#define {prefix}{name}(c, ...) __VERIFIER_{name}(!!(c))");
        }
    }
    let marked: Vec<String> = text.lines().map(marked).collect();
    let marked = marked.join("\n") + "\n";
    if marked.trim_end() != text.trim_end() {
        before += "extern void __VERIFIER_error(void);\n";
    }
    before + &marked
}

/// A line with a call behind its error label, if it has one and no failing call follows.
fn marked(line: &str) -> String {
    for label in LABELS {
        let Some(rest) = line.trim_start().strip_prefix(label).and_then(|rest| rest.trim_start().strip_prefix(':')) else { continue };
        let next = rest.trim_start().trim_start_matches('{').trim_start();
        if !FAILING.iter().any(|name| next.starts_with(name)) {
            let indent = &line[..line.len() - line.trim_start().len()];
            return format!("{indent}{label}: __VERIFIER_error();{rest}");
        }
    }
    line.to_owned()
}

/// What follows the opening bracket wherever the name stands before one.
fn calls<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let is_whole = !text[..at].ends_with(is_part);
        text[at + name.len()..].trim_start().strip_prefix('(').filter(|_| is_whole)
    })
}

/// Is there a body behind a list of parameters of this name?
fn is_defined(text: &str, name: &str) -> bool {
    calls(text, name).any(|rest| {
        let parts = rest.split_once(')');
        parts.is_some_and(|(list, behind)| !list.contains([';', '{']) && behind.trim_start().starts_with('{'))
    })
}

#[cfg(test)]
mod tests {
    use super::adapted;

    #[test]
    fn names_become_those_of_goatherd() {
        let text = "int nondet_int();\nvoid f(void) { int x = nondet_int(); }\n";
        assert!(
            adapted(text)
                .starts_with("extern int __VERIFIER_nondet_int(void);\n#define nondet_int __VERIFIER_nondet_int\nint nondet_int();")
        );
        let own = "int nondet(void) { return 3; }\nint x_nondet_int(void);\n";
        assert_eq!(adapted(own), own);
        let plots = "void f(void) { __VERIFIER_plot(0); }\n";
        assert_eq!(adapted(plots), format!("#define __VERIFIER_plot(...) ((void)0)\n{plots}"));
        let declared = format!("#include <verifier-builtins.h>\n{plots}");
        assert_eq!(adapted(&declared), declared);
        assert!(adapted("f(){ __CPROVER_assume(1); }").contains("#define __CPROVER_assume(c, ...) __VERIFIER_assume(!!(c))\n"));
    }

    #[test]
    fn an_error_label_is_an_error() {
        assert_eq!(adapted("  ERROR: return 1;\n"), "extern void __VERIFIER_error(void);\n  ERROR: __VERIFIER_error(); return 1;\n");
        let marked = "ERROR: { reach_error(); }\n";
        assert_eq!(adapted(marked), marked);
    }
}
