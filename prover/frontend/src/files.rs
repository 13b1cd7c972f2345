//! Files as users name them: of any size, pipes and devices without end, folders, or no text.

use std::{
    fs::File,
    io::{Error, ErrorKind, Read},
    path::Path,
};

/// The most bytes of a file, where nothing else is said of its kind: much more than anybody writes by hand.
pub const LARGEST: u64 = 64 << 20;

/// The bytes of a file that has at most so many.
///
/// # Errors
///
/// Why it cannot be read, in words that do not name it: `it is larger than 16 MiB`.
pub fn bytes(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| reason(&error))?;
    if file.metadata().map_err(|error| reason(&error))?.is_dir() {
        return Err("it is a directory".to_owned());
    }
    bytes_of(file, largest)
}

/// The text of a file that has at most so many bytes.
///
/// # Errors
///
/// As of [`bytes`], and where it is not UTF-8.
pub fn text(path: &Path, largest: u64) -> Result<String, String> {
    String::from_utf8(bytes(path, largest)?).map_err(|_| "it is not UTF-8".to_owned())
}

/// All that comes from there, at most so many bytes.
///
/// # Errors
///
/// As of [`bytes`].
pub fn bytes_of(input: impl Read, largest: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    match input.take(largest.saturating_add(1)).read_to_end(&mut bytes) {
        Err(error) => Err(reason(&error)),
        Ok(read) if read as u64 > largest => Err(format!("it is larger than {}", Size(largest))),
        Ok(_) => Ok(bytes),
    }
}

/// A number of bytes, in the greatest unit that divides it.
struct Size(u64);

impl std::fmt::Display for Size {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            bytes if bytes % (1 << 20) == 0 => write!(formatter, "{} MiB", bytes >> 20),
            bytes => write!(formatter, "{bytes} bytes"),
        }
    }
}

/// The system's words, without the error's number.
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let said = error.to_string();
            said.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, bytes_of};
    use std::path::Path;

    #[test]
    fn no_more_is_read_than_allowed() {
        assert_eq!(bytes_of(&b"four"[..], 4), Ok(b"four".to_vec()));
        assert_eq!(bytes_of(&b"fives"[..], 4), Err("it is larger than 4 bytes".to_owned()));
        assert_eq!(bytes_of(std::io::repeat(0), 2 << 20), Err("it is larger than 2 MiB".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert_eq!(bytes(Path::new("."), 4), Err("it is a directory".to_owned()));
        assert_eq!(bytes(Path::new("no such file"), 4), Err("there is no such file".to_owned()));
        assert_eq!(bytes(Path::new("/dev/null/below"), 4), Err("Not a directory".to_owned()));
    }
}
