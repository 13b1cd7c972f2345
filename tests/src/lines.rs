//! How many lines of code a Rust file has: blank lines, comments and test modules do not count.

/// Lines of code of a text; what stands under `#[cfg(test)]` is left out.
///
/// Counts as `rustfmt` lays code out: a test module ends at the closing brace in the column where it began.
pub fn code_lines(text: &str) -> usize {
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code == "#[cfg(test)]" {
            let indentation = line.len() - code.len();
            skip_item(&mut lines, indentation);
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Passes over the item that follows an attribute in the given column.
fn skip_item<'text>(lines: &mut impl Iterator<Item = &'text str>, indentation: usize) {
    for line in lines {
        let code = line.trim_start();
        let outermost = line.len() - code.len() == indentation;
        if outermost && (code.ends_with(';') || code.starts_with('}') || code.ends_with("{}")) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::code_lines;

    #[test]
    fn counts_code_alone() {
        let text = "//! Doc.\n\nuse a::b;\n\n/// Doc.\nfn f() {\n    // Why.\n    g(); // here\n}\n";
        assert_eq!(code_lines(text), 4);
    }

    #[test]
    fn leaves_tests_out() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        g();\n    }\n}\nfn h() {}\n#[cfg(test)]\nmod more;\nfn i() {}\n";
        assert_eq!(code_lines(text), 3);
    }
}
