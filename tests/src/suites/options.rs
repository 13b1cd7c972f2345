//! What the commands over other people's suites share: their arguments.

use std::path::PathBuf;
use std::time::Duration;

/// The arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What is worked on at the same time.
    pub jobs: usize,
    /// The limit of one answer.
    pub limit: Duration,
    /// The folder of the commands that are run.
    pub commands: PathBuf,
    /// The folder of checkouts.
    pub checkouts: Option<PathBuf>,
    /// The suites that are meant; all where there is none.
    pub names: Vec<String>,
}

impl Options {
    /// Reads `[--jobs N] [--limit SECONDS] [--commands FOLDER] [--checkouts FOLDER] [SUITE]...`; without a limit, it is so many seconds.
    pub fn read(mut arguments: impl Iterator<Item = String>, limit: u64) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::workspace_root().join("target"), PathBuf::from);
        let limit = Duration::from_secs(limit);
        let mut options = Self { jobs: 1, limit, commands: target.join("release"), checkouts: None, names: Vec::new() };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            let positive = |word: String| word.parse().ok().filter(|number| *number > 0).ok_or(format!("{word} is no positive number"));
            match argument.as_str() {
                "--jobs" => options.jobs = positive(value()?)?,
                "--limit" => options.limit = Duration::from_secs(positive(value()?)? as u64),
                "--commands" => options.commands = value()?.into(),
                "--checkouts" => options.checkouts = Some(value()?.into()),
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    /// Is the suite meant?
    pub fn means(&self, suite: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == suite)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn reads_arguments() {
        let read = |words: &[&str]| Options::read(words.iter().map(|word| (*word).to_owned()), 20);
        let options = read(&["--jobs", "3", "--checkouts", "there", "cvc4"]).expect("options");
        assert_eq!((options.jobs, options.limit.as_secs()), (3, 20));
        assert!(options.means("cvc4") && !options.means("gcc") && read(&[]).is_ok_and(|options| options.means("gcc")));
        assert!(read(&["--jobs", "0"]).is_err() && read(&["--limit"]).is_err() && read(&["--fast"]).is_err());
    }
}
