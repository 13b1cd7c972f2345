//! The little that must be known of a C source to call its entry function: which names it uses and defines, and the entry's parameters.

/// An identifier, number or punctuation character of a C source, outside comments and literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Token<'a> {
    text: &'a str,
    start: usize,
}

/// A C source, cut into tokens.
pub struct Scan<'a> {
    source: &'a str,
    tokens: Vec<Token<'a>>,
}

impl<'a> Scan<'a> {
    /// Cuts the source. A comment or literal that does not end swallows the rest.
    pub fn new(source: &'a str) -> Self {
        let bytes = source.as_bytes();
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            at += if rest.starts_with(b"/*") {
                source[at + 2..].find("*/").map_or(rest.len(), |length| length + 4)
            } else if rest.starts_with(b"//") {
                rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
            } else if rest[0] == b'"' || rest[0] == b'\'' {
                literal_length(rest)
            } else if is_word(rest[0]) {
                let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                tokens.push(Token { text: &source[at..at + length], start: at });
                length
            } else {
                if rest[0].is_ascii_punctuation() {
                    tokens.push(Token { text: &source[at..=at], start: at });
                }
                1
            };
        }
        Scan { source, tokens }
    }

    /// Every identifier, with repetitions.
    pub fn identifiers(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.tokens.iter().map(|token| token.text).filter(|text| !text.starts_with(|first: char| !is_word_start(first)))
    }

    /// Does the source use the name and not define it, as a function or as a macro?
    pub fn needs(&self, name: &str) -> bool {
        self.identifiers().any(|identifier| identifier == name) && !self.defines_macro(name) && self.parameters(name).is_none()
    }

    /// Are there calls of the function whose result is used, and calls of which it is not, as those that are a statement of their own?
    pub fn uses_of_results(&self, name: &str) -> [bool; 2] {
        let text = |position: usize| self.tokens.get(position).map_or("", |token| token.text);
        let calls = (0..self.tokens.len()).filter(|position| text(*position) == name && text(position + 1) == "(");
        let (mut is_used, mut is_not_used) = (false, false);
        for position in calls.filter(|position| !self.is_in_directive(*position) && self.is_inside_body(*position)) {
            if self.begins_statement(position) { is_not_used = true } else { is_used = true }
        }
        [is_used, is_not_used]
    }

    /// Does a statement begin at this token, or the operand of a cast to void?
    fn begins_statement(&self, position: usize) -> bool {
        let Some(before) = position.checked_sub(1) else { return false };
        let text = |position: usize| self.tokens[position].text;
        match text(before) {
            // Not the condition of a `for`.
            ";" => {
                let block = (0..before).rev().take_while(|token| !matches!(text(*token), "{" | "}"));
                let (open, closed): (Vec<usize>, Vec<usize>) =
                    block.filter(|token| matches!(text(*token), "(" | ")")).partition(|token| text(*token) == "(");
                open.len() == closed.len()
            }
            "{" | "}" | "else" | "do" => true,
            ")" => {
                let open = (0..before).rev().find(|open| self.matching(*open).is_some_and(|(close, _)| close == before));
                open.is_some_and(|open| {
                    let is_condition = open.checked_sub(1).is_some_and(|word| matches!(text(word), "if" | "while" | "for" | "switch"));
                    is_condition || (open + 2 == before && text(open + 1) == "void")
                })
            }
            _ => false,
        }
    }

    /// Does the source include this header?
    pub fn includes(&self, header: &str) -> bool {
        self.source.lines().any(|line| {
            let line = line.trim_start().strip_prefix('#').map(str::trim_start);
            line.and_then(|line| line.strip_prefix("include")).is_some_and(|line| line.contains(header))
        })
    }

    fn defines_macro(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|window| window[0].text == "#" && window[1].text == "define" && window[2].text == name)
    }

    /// The texts of the parameters in the definition of a function; none if it is not defined here, or not in the usual form.
    pub fn parameters(&self, name: &str) -> Option<Vec<&'a str>> {
        (0..self.tokens.len()).filter(|&position| self.tokens[position].text == name).find_map(|position| {
            let open = position + 1;
            let (close, commas) = self.matching(open)?;
            // Attributes may stand between the parameters and the body; a declaration or a call has a semicolon first.
            let body = self.tokens[close..].iter().find(|token| matches!(token.text, "{" | ";" | "}" | ","))?;
            if body.text != "{" || self.is_inside_body(position) || self.is_in_directive(position) {
                return None;
            }
            let mut texts = Vec::new();
            let mut start = self.tokens[open].start + 1;
            for end in commas.into_iter().chain([close]) {
                texts.push(self.source[start..self.tokens[end].start].trim());
                start = self.tokens[end].start + 1;
            }
            Some(if matches!(texts.as_slice(), ["" | "void"]) { Vec::new() } else { texts })
        })
    }

    fn is_inside_body(&self, position: usize) -> bool {
        let before = &self.tokens[..position];
        let count = |text| before.iter().filter(|token| token.text == text).count();
        count("{") > count("}")
    }

    /// Does the token stand in a directive, as a call in `#define A(x) __VERIFIER_assert(x)`?
    fn is_in_directive(&self, position: usize) -> bool {
        let line = |end: usize| self.source[..end].rfind('\n').map_or(0, |before| before + 1);
        let mut start = line(self.tokens[position].start);
        while let Some(continued) = self.source[..start].strip_suffix("\\\n") {
            start = line(continued.len());
        }
        self.source[start..].trim_start().starts_with('#')
    }

    /// The parenthesis that closes the one at `open`, and the commas directly inside.
    fn matching(&self, open: usize) -> Option<(usize, Vec<usize>)> {
        let mut depth = 0usize;
        let mut commas = Vec::new();
        for (position, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.checked_sub(1)?,
                "," if depth == 1 => commas.push(position),
                _ => {}
            }
            if depth == 0 {
                return (position > open).then_some((position, commas));
            }
        }
        None
    }
}

/// The name that a parameter declares: its last identifier.
pub fn declared_name(parameter: &str) -> Option<&str> {
    Scan::new(parameter).identifiers().last()
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn is_word_start(first: char) -> bool {
    first == '_' || first.is_ascii_alphabetic()
}

fn literal_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#define assert(c) do { } while (0)\n\
        struct chars { const char *s; unsigned n_s; }; /* test(int) { */\n\
        void __VERIFIER_fail(void);\n\
        static int helper(int a) { return test2(a, ')'); }\n\
        int test(struct chars a, int (*f)(int, int), int k)\n{ __VERIFIER_fail(); assert(k); }";

    #[test]
    fn results_that_are_used() {
        let uses = |body: &str| Scan::new(&format!("int g(int); int f(int n) {{ {body} }}")).uses_of_results("g");
        for used in
            ["return g(n);", "n = g(1);", "if (g(n)) return 1;", "for (; g(n);) ;", "h(g(n));", "return (int)g(n);", "return n ? g(1) : 2;"]
        {
            assert_eq!(uses(used), [true, false], "{used}");
        }
        for unused in ["g(n);", "(void)g(n);", "if (n > (1)) g(n); else g(n);", "do g(n); while (n);", "while (n) { n--; g(n); }"] {
            assert_eq!(uses(unused), [false, true], "{unused}");
        }
        assert_eq!((uses("g(n); return g(n);"), uses("return n;")), ([true, true], [false, false]));
    }

    #[test]
    fn parameters_are_those_of_the_definition() {
        let scan = Scan::new(SOURCE);
        assert_eq!(scan.parameters("test"), Some(vec!["struct chars a", "int (*f)(int, int)", "int k"]));
        assert_eq!(scan.parameters("helper"), Some(vec!["int a"]));
        assert_eq!(scan.parameters("test2"), None);
        assert_eq!(Scan::new("int f(void) { return 1; }").parameters("f"), Some(vec![]));
        // The parenthesis behind the name closes one in front of it.
        assert_eq!(Scan::new("int (f)(void) { return 1; }").parameters("f"), None);
        assert_eq!(declared_name("struct chars a"), Some("a"));
    }

    #[test]
    fn names_are_needed_unless_defined() {
        let scan = Scan::new(SOURCE);
        assert!(scan.needs("__VERIFIER_fail"));
        assert!(!scan.needs("assert"));
        assert!(!scan.needs("helper"));
        assert!(!scan.needs("reach_error"));
        // The body behind a macro is not that of what the macro calls.
        assert!(Scan::new("#define A(x) __VERIFIER_assert(x)\nvoid test(void) { A(0); }").needs("__VERIFIER_assert"));
        assert!(Scan::new("#define A(x) \\\n  __VERIFIER_assert(x)\nvoid test(void) { A(0); }").needs("__VERIFIER_assert"));
    }

    #[test]
    fn ends_in_the_middle_are_harmless() {
        for end in 0..SOURCE.len() {
            Scan::new(&SOURCE[..end]).parameters("test");
        }
        assert_eq!(Scan::new("f(\"\\").parameters("f"), None);
    }
}
