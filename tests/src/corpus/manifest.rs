//! Where each function stands and what its text hashes to: `tests/corpus/manifest.tsv`.

use std::fmt::Write as _;

use goatherd::encode;

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
    encode::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

impl Function {
    /// The text of the function in its file and its first line there: the one of the manifest or, in another version of the package,
    /// the first where lines of the same number have the same hash. Nothing where the text has changed.
    pub fn find_in(&self, file: &[u8]) -> Option<(usize, String)> {
        let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
        let count = self.last_line - self.first_line + 1;
        let pinned = self.first_line - 1;
        let others = (0..lines.len()).filter(|start| *start != pinned);
        std::iter::once(pinned).chain(others).find_map(|start| {
            let text = lines.get(start..start + count)?.concat();
            (hexadecimal_digest(&text) == self.text_sha256).then(|| (start + 1, String::from_utf8_lossy(&text).into_owned()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, hexadecimal_digest, read_manifest};

    fn function(first_line: usize, last_line: usize, text: &str) -> Function {
        let row = format!("f\tp\t1\tp.tar\t0\tf.c\t{first_line}\t{last_line}\t{}", hexadecimal_digest(text.as_bytes()));
        read_manifest(&format!("header\n{row}\n")).expect("a good row").remove(0)
    }

    #[test]
    fn finds_a_function_at_its_lines_and_elsewhere() {
        let file = b"one\ntwo\nthree\n";
        assert_eq!(function(2, 3, "two\nthree\n").find_in(file), Some((2, "two\nthree\n".into())));
        assert_eq!(function(1, 2, "two\nthree\n").find_in(file), Some((2, "two\nthree\n".into())));
        assert_eq!(function(2, 3, "two\nTHREE\n").find_in(file), None);
        assert_eq!(function(9, 9, "three\n").find_in(file), Some((3, "three\n".into())));
    }

    #[test]
    fn refuses_a_bad_row() {
        assert!(read_manifest("header\nf\tp\n").is_err());
        assert!(read_manifest("header\nf\tp\t1\tp.tar\t0\tf.c\t3\t2\t0\n").is_err());
    }
}
