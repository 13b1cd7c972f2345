//! Where the proofs lie. Files appear whole or not at all, by being renamed, and a certificate is named by what is in it: whoever writes at the
//! same time writes the same bytes under the same name, and who is killed leaves nothing behind but a folder in `tmp`, which the next one removes.

use crate::{
    digest::{hexadecimal, sha256},
    record::Record,
    target::Target,
};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// A record is small; a larger file is none.
const LARGEST_RECORD: u64 = 16 << 20;

/// An archive.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// What was looked for in an archive.
#[derive(Debug)]
pub enum Held<T> {
    /// It is there.
    Whole(T),
    /// It is not there.
    Missing,
    /// Something else is there: what.
    Damaged(String),
}

impl Archive {
    /// The archive in this folder, which need not be there.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a certificate.
    pub fn object(&self, digest: &str) -> PathBuf {
        let (folder, name) = digest.split_at_checked(2).unwrap_or((digest, ""));
        self.folder
            .join("objects")
            .join(folder)
            .join(format!("{name}.goat"))
    }

    /// The file of a target's record.
    pub fn task(&self, target: &Target) -> PathBuf {
        self.tasks()
            .join(&target.file)
            .join(format!("{}.json", target.leaf()))
    }

    /// Where a target's failing run is kept as C.
    pub fn counterexample(&self, target: &Target) -> PathBuf {
        self.folder
            .join("counterexamples")
            .join(&target.file)
            .join(format!("{}.c", target.leaf()))
    }

    fn tasks(&self) -> PathBuf {
        self.folder.join("tasks")
    }

    /// What is remembered of a target.
    pub fn record(&self, target: &Target) -> Held<Record> {
        match held(&self.task(target), LARGEST_RECORD) {
            Held::Whole(bytes) => match Record::from_bytes(&bytes) {
                Ok(record) => Held::Whole(record),
                Err(why) => Held::Damaged(format!("its record: {why}")),
            },
            Held::Missing => Held::Missing,
            Held::Damaged(why) => Held::Damaged(format!("its record: {why}")),
        }
    }

    /// The bytes of a certificate, of at most so many: those that have this digest.
    pub fn certificate(&self, digest: &str, largest: u64) -> Held<Vec<u8>> {
        match held(&self.object(digest), largest) {
            Held::Whole(bytes) if hexadecimal(&sha256(&bytes)) != digest => Held::Damaged(format!(
                "the bytes of {} are others than its name says",
                self.object(digest).display()
            )),
            found => found,
        }
    }

    /// The records that are there, from the folder of records, in the order of names.
    ///
    /// # Errors
    ///
    /// A folder cannot be read.
    pub fn records(&self) -> io::Result<Vec<PathBuf>> {
        let tasks = self.tasks();
        let (mut found, mut folders) = (Vec::new(), vec![tasks.clone()]);
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                } else if let Ok(path) = entry.path().strip_prefix(&tasks) {
                    found.push(path.to_owned());
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Keeps a certificate. Returns its digest.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn keep(&self, session: &Session, bytes: &[u8]) -> io::Result<String> {
        let digest = hexadecimal(&sha256(bytes));
        let largest = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if !matches!(self.certificate(&digest, largest), Held::Whole(_)) {
            session.place(bytes, &self.object(&digest))?;
        }
        Ok(digest)
    }

    /// Remembers the certificate of a target, which is kept by now.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn remember(&self, session: &Session, target: &Target, record: &Record) -> io::Result<()> {
        session.place(record.to_text().as_bytes(), &self.task(target))
    }
}

/// The bytes of a file, of at most so many.
fn held(path: &Path, largest: u64) -> Held<Vec<u8>> {
    let length = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Held::Damaged(format!("{} is no file", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Held::Missing,
        Err(error) => return Held::Damaged(error.to_string()),
    };
    if length > largest {
        return Held::Damaged(format!(
            "{} has {length} bytes, more than {largest}",
            path.display()
        ));
    }
    match fs::read(path) {
        Ok(bytes) => Held::Whole(bytes),
        // Removed in between.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Held::Missing,
        Err(error) => Held::Damaged(error.to_string()),
    }
}

/// A folder for what is not whole yet, of one process. As long as that lives it holds a lock, by which others know.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    lock: File,
    count: AtomicU32,
}

/// The file that is locked: in a session's folder by the session, in `tmp` by whoever begins one.
const LOCK: &str = "lock";

impl Session {
    /// Begins to write to an archive, and removes what others have left who were killed.
    ///
    /// # Errors
    ///
    /// Nothing can be written there.
    pub fn begin(archive: &Archive) -> io::Result<Self> {
        let all = archive.folder.join("tmp");
        fs::create_dir_all(&all)?;
        // Held to the end: who comes here sees no session that is half begun.
        let beginning = File::create(all.join(LOCK))?;
        beginning.lock()?;
        for entry in fs::read_dir(&all)? {
            let entry = entry?;
            let is_left =
                || File::open(entry.path().join(LOCK)).map_or(true, |lock| lock.try_lock().is_ok());
            if entry.file_type()?.is_dir() && is_left() {
                // Its own session may be about to remove it.
                drop(fs::remove_dir_all(entry.path()));
            }
        }
        // Numbers of processes are the same in two containers.
        for attempt in 0u32.. {
            let folder = all.join(format!("{}-{attempt}", process::id()));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            let lock = File::create(folder.join(LOCK))?;
            lock.lock()?;
            return Ok(Self {
                folder,
                lock,
                count: AtomicU32::new(0),
            });
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// A folder for what another process writes.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub fn fresh_folder(&self) -> io::Result<PathBuf> {
        let folder = self.fresh();
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// A name in this folder that nobody else has.
    fn fresh(&self) -> PathBuf {
        self.folder
            .join(self.count.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Writes a file, whole or not at all, with the folders that it lies in.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn place(&self, bytes: &[u8], path: &Path) -> io::Result<()> {
        let fresh = self.fresh();
        let mut file = File::create(&fresh)?;
        file.write_all(bytes)?;
        // Before it has its name, so that there is no name without contents after a loss of power.
        file.sync_all()?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::rename(fresh, path)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // What is left is removed by the next one.
        drop(fs::remove_dir_all(&self.folder));
        drop(self.lock.unlock());
    }
}
