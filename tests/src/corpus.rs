//! Real functions by recipe: a manifest says where each function stands in a source package and what its text hashes to; a harness
//! of our own names the functions that it wants. No text of others is kept in the project.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use goatherd_checker::sha256;

/// One row of `tests/corpus/manifest.tsv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name that harnesses use.
    pub id: String,
    /// The source package.
    pub package: String,
    /// Its pinned version.
    pub version: String,
    /// The file name of the upstream archive.
    pub archive: String,
    /// SHA-256 of the archive, in lower-case hexadecimal digits.
    pub archive_sha256: String,
    /// The file inside the archive, below its top folder.
    pub path: String,
    /// First line of the function, counted from 1.
    pub first_line: usize,
    /// Last line of the function.
    pub last_line: usize,
    /// SHA-256 of these lines, each with its line feed.
    pub text_sha256: String,
}

/// Reads the manifest; an error names the first line that is not of the form.
pub fn read_manifest(text: &str) -> Result<Vec<Function>, String> {
    text.lines().enumerate().skip(1).map(|(index, line)| read_row(line).ok_or(format!("manifest, line {}: bad row", index + 1))).collect()
}

fn read_row(line: &str) -> Option<Function> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, package, version, archive, archive_sha256, path, first_line, last_line, text_sha256] = fields[..] else {
        return None;
    };
    let (first_line, last_line) = (first_line.parse().ok()?, last_line.parse().ok()?);
    if first_line == 0 || last_line < first_line {
        return None;
    }
    Some(Function {
        id: id.into(),
        package: package.into(),
        version: version.into(),
        archive: archive.into(),
        archive_sha256: archive_sha256.into(),
        path: path.into(),
        first_line,
        last_line,
        text_sha256: text_sha256.into(),
    })
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn hexadecimal_digest(bytes: &[u8]) -> String {
    sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

impl Function {
    /// The text of the function in its file: at the lines of the manifest or, in another version of the package, wherever lines of
    /// the same number have the same hash. Nothing where the text has changed.
    pub fn find_in(&self, file: &[u8]) -> Option<String> {
        let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
        let count = self.last_line - self.first_line + 1;
        let pinned = self.first_line - 1;
        let others = (0..lines.len()).filter(|start| *start != pinned);
        std::iter::once(pinned).chain(others).find_map(|start| {
            let text = lines.get(start..start + count)?.concat();
            (hexadecimal_digest(&text) == self.text_sha256).then(|| String::from_utf8_lossy(&text).into_owned())
        })
    }
}

/// Puts the functions' texts into a harness: a line `// extract ID [OLD=NEW]...` becomes the text of that function, whole words
/// replaced as asked. An error names the function that is missing.
pub fn fill_harness(harness: &str, texts: &BTreeMap<String, String>) -> Result<String, String> {
    let mut filled = String::new();
    for line in harness.lines() {
        let Some(directive) = line.strip_prefix("// extract ") else {
            filled.push_str(line);
            filled.push('\n');
            continue;
        };
        let mut words = directive.split_whitespace();
        let id = words.next().unwrap_or_default();
        let text = texts.get(id).ok_or_else(|| id.to_owned())?;
        filled
            .push_str(&words.filter_map(|word| word.split_once('=')).fold(text.clone(), |text, (old, new)| replace_word(&text, old, new)));
    }
    Ok(filled)
}

/// Replaces an identifier wherever it stands as a whole word.
fn replace_word(text: &str, old: &str, new: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|character| !is_word(character)).unwrap_or(from.len()));
        result.push_str(before);
        result.push_str(if word == old { new } else { word });
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::{Function, fill_harness, hexadecimal_digest, read_manifest, replace_word};
    use std::collections::BTreeMap;

    fn function(first_line: usize, last_line: usize, text: &str) -> Function {
        let row = format!("f\tp\t1\tp.tar\t0\tf.c\t{first_line}\t{last_line}\t{}", hexadecimal_digest(text.as_bytes()));
        read_manifest(&format!("header\n{row}\n")).expect("a good row").remove(0)
    }

    #[test]
    fn finds_a_function_at_its_lines_and_elsewhere() {
        let file = b"one\ntwo\nthree\n";
        assert_eq!(function(2, 3, "two\nthree\n").find_in(file).as_deref(), Some("two\nthree\n"));
        assert_eq!(function(1, 2, "two\nthree\n").find_in(file).as_deref(), Some("two\nthree\n"));
        assert_eq!(function(2, 3, "two\nTHREE\n").find_in(file), None);
        assert_eq!(function(9, 9, "three\n").find_in(file).as_deref(), Some("three\n"));
    }

    #[test]
    fn replaces_whole_words_only() {
        assert_eq!(replace_word("strcmp(my_strcmp, strcmp2);", "strcmp", "f"), "f(my_strcmp, strcmp2);");
        assert_eq!(replace_word("__likely(n)", "__likely", ""), "(n)");
    }

    #[test]
    fn names_the_function_that_is_missing() {
        let texts = BTreeMap::from([("f".to_owned(), "int f;\n".to_owned())]);
        assert_eq!(fill_harness("// extract f f=g\nvoid test(void);\n", &texts).as_deref(), Ok("int g;\nvoid test(void);\n"));
        assert_eq!(fill_harness("// extract h\n", &texts), Err("h".to_owned()));
    }

    #[test]
    fn refuses_a_bad_row() {
        assert!(read_manifest("header\nf\tp\n").is_err());
        assert!(read_manifest("header\nf\tp\t1\tp.tar\t0\tf.c\t3\t2\t0\n").is_err());
    }
}
