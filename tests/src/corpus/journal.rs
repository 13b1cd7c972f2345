//! What was done, a line of JSON each, by name and digest of all that it depends on: an interrupted command goes on where it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A journal of results.
#[derive(Debug)]
pub struct Journal<R> {
    done: BTreeMap<String, Line<R>>,
    file: Mutex<File>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line<R> {
    name: String,
    digest: String,
    result: R,
}

impl<R: Serialize + DeserializeOwned + Clone> Journal<R> {
    /// Opens a journal; lines that cannot be read, such as one that was being written when the machine stopped, are left out.
    pub fn open(path: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line<R>>(line).ok());
        let done: BTreeMap<_, _> = lines.map(|line| (line.name.clone(), line)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Self { done, file: Mutex::new(file) })
    }

    /// The result of this name, where it depended on the same.
    pub fn result(&self, name: &str, digest: &str) -> Option<R> {
        self.done.get(name).filter(|line| line.digest == digest).map(|line| line.result.clone())
    }

    /// Writes a result at once.
    pub fn write(&self, name: &str, digest: &str, result: &R) -> io::Result<()> {
        let line = Line { name: name.to_owned(), digest: digest.to_owned(), result: result.clone() };
        let text = serde_json::to_string(&line)? + "\n";
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::Journal;

    #[test]
    fn goes_on_after_an_interruption() {
        let path = std::env::temp_dir().join(format!("goatherd-journal-{}", std::process::id()));
        let journal = Journal::<u32>::open(&path).expect("a new journal");
        journal.write("a", "digest", &1).expect("written");
        std::fs::write(&path, std::fs::read_to_string(&path).expect("text") + "{\"name\": \"b\", \"dig").expect("cut off");
        let journal = Journal::<u32>::open(&path).expect("the journal again");
        journal.write("c", "digest", &3).expect("written");
        let journal = Journal::<u32>::open(&path).expect("the journal again");
        let found = ["a", "b", "c"].map(|name| journal.result(name, "digest"));
        std::fs::remove_file(&path).expect("removed");
        assert_eq!((found, journal.result("a", "other")), ([Some(1), None, Some(3)], None));
    }
}
