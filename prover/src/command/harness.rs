//! `goatherd harness`: a first harness, to be edited.
//!
//! It is made from the text of the function's parameters, not from their types: what a typedef hides is passed on as a scalar.

use super::{Trouble, arguments::Harness, output, print};
use goatherd::counterexample::replay::scan::{Scan, declared_name};
use goatherd_frontend::source::{Options, load};
use std::{fmt::Write, path::Path};

/// Prints or writes the harness.
pub fn run(arguments: &Harness) -> Result<(), Trouble> {
    let options = Options { entry: arguments.entry.clone(), ..Options::default() };
    let unit = load(&arguments.file, &options).map_err(Trouble::Source)?;
    let text = String::from_utf8_lossy(unit.source());
    let Some(parameters) = Scan::new(&text).parameters(&arguments.entry) else {
        let message = format!("{} has no definition of a function {} outside macros", arguments.file.display(), arguments.entry);
        return Err(Trouble::Usage(message));
    };
    let parameters: Vec<Parameter> = parameters.iter().enumerate().map(|(position, text)| Parameter::new(position, text)).collect();
    match &arguments.output {
        Some(path) => {
            output::check(path, &arguments.file)?;
            let included = output::seen_from(&output::directory(path), &arguments.file);
            output::write(path, harness(&arguments.entry, &included, &parameters).as_bytes())
        }
        None => print(&harness(&arguments.entry, &arguments.file, &parameters)),
    }
}

/// A parameter of the function.
struct Parameter {
    name: String,
    /// The declaration, with a name if it had none.
    declaration: String,
    kind: Kind,
}

enum Kind {
    /// Passed on as it is.
    Scalar,
    /// A pointer to elements of this type.
    Array(String),
    /// The harness gives NULL.
    Unsupported,
}

impl Parameter {
    fn new(position: usize, text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = declared_name(&text).unwrap_or_default().to_owned();
        let stars = text.matches('*').count() + text.matches('[').count();
        if text == "..." || text.contains('(') || stars > 1 {
            return Self { name: format!("parameter_{position}"), declaration: text, kind: Kind::Unsupported };
        }
        if stars == 0 {
            return Self { name, declaration: text, kind: Kind::Scalar };
        }
        let element = match text.split_once('*') {
            Some((element, _)) => element.trim().to_owned(),
            None => text.split('[').next().unwrap_or_default().trim().trim_end_matches(name.as_str()).trim().to_owned(),
        };
        // Memory without a type is bytes.
        let words = element.split(' ').map(|word| if word == "void" { "unsigned char" } else { word });
        let element = words.collect::<Vec<_>>().join(" ");
        Self { name, declaration: text, kind: Kind::Array(element) }
    }
}

fn harness(function: &str, file: &Path, parameters: &[Parameter]) -> String {
    let mut text = String::new();
    let mut declarations = Vec::new();
    let mut arguments = Vec::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "/* A first harness for {function}, to be edited: its inputs are arrays of any length and any scalars; memory");
    let _ =
        writeln!(text, "   safety is checked. Say with __VERIFIER_assume what callers promise, and with __VERIFIER_assert what they get.");
    let _ = writeln!(text, "   Prove it:  goatherd prove HARNESS.c */\n");
    let _ = writeln!(text, "#include \"{}\"\n", file.display());
    let _ = writeln!(text, "extern void __VERIFIER_assume(int condition);\nextern void __VERIFIER_assert(int condition);");
    for Parameter { name, declaration, kind } in parameters {
        match kind {
            Kind::Scalar => {
                declarations.push(declaration.clone());
                arguments.push(name.clone());
            }
            Kind::Array(element) => {
                let _ = writeln!(text, "\n/* {name}: exactly n_{name} elements, any number of them */");
                let _ = writeln!(text, "struct input_{name} {{\n    {element} *{name};\n    int n_{name};\n}};");
                declarations.push(format!("struct input_{name} {name}"));
                arguments.push(format!("{name}.{name}"));
            }
            Kind::Unsupported => {
                let _ = writeln!(text, "\n/* TO DO: `{declaration}` cannot be an input; give it a value */");
                arguments.push("0".to_owned());
            }
        }
    }
    let declarations = if declarations.is_empty() { "void".to_owned() } else { declarations.join(", ") };
    let _ = writeln!(text, "\nvoid test({declarations})\n{{\n    {function}({});\n}}", arguments.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parameters: &[&str]) -> String {
        let parameters: Vec<Parameter> = parameters.iter().enumerate().map(|(position, text)| Parameter::new(position, text)).collect();
        harness("f", Path::new("f.c"), &parameters)
    }

    #[test]
    fn pointers_become_arrays() {
        let text = of(&["const char *restrict s", "void *\n to", "int a[10]", "unsigned long n"]);
        assert!(text.contains("    const char *s;\n    int n_s;\n"));
        assert!(text.contains("    unsigned char *to;\n"));
        assert!(text.contains("    int *a;\n"));
        assert!(text.contains("void test(struct input_s s, struct input_to to, struct input_a a, unsigned long n)"));
        assert!(text.contains("    f(s.s, to.to, a.a, n);"));
    }

    #[test]
    fn what_is_no_input_is_left_to_do() {
        let text = of(&["char **lines", "int (*compare)(int, int)"]);
        assert!(text.contains("TO DO: `char **lines`"));
        assert!(text.contains("void test(void)\n{\n    f(0, 0);\n}"));
    }
}
