//! The command lines of those who have not made the certificate that they look at.

use clap::Args;
use std::path::PathBuf;

/// `goatherd explain`
#[derive(Args, Debug)]
pub struct Explain {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,

    /// Say why the checks of this line hold; without a file, of the first file of the source
    #[arg(long, value_name = "[FILE:]LINE")]
    pub at: Option<Line>,

    /// Tell every time that the proof comes to a check of the line, not only the first ones
    #[arg(long, requires = "at")]
    pub all: bool,

    /// Show lines of this file beside: a certificate holds no text of the source. It has to be the very file that the certificate names
    #[arg(long, value_name = "FILE.c")]
    pub source: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A line of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file, as the certificate names it; the first one if none is named.
    pub file: Option<String>,
    /// From 1.
    pub line: u32,
}

impl std::str::FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => (Some(file.to_owned()), line),
            _ => (None, text),
        };
        let line = line.parse().ok().filter(|line| *line > 0);
        Ok(Self { file, line: line.ok_or("a line is FILE:LINE or LINE, such as copy.c:12; lines are counted from 1")? })
    }
}
