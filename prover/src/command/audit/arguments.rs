//! The command lines of those who have not made the certificate that they look at.

use clap::{Args, ValueEnum};
use goatherd_archive::words::{seconds, size};
use std::{path::PathBuf, time::Duration};

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

    /// Write a page to this file that needs no other: the source (with --source) with its checks, and the proof as a graph of herds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "json"])]
    pub html: Option<PathBuf>,

    /// The most memory that the command may hold, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `goatherd diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// A certificate
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// Another one
    #[arg(value_name = "B")]
    pub second: PathBuf,

    /// The most memory that the command may hold, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `goatherd crosscheck`
#[derive(Args, Debug)]
pub struct Crosscheck {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,

    /// Ask this solver
    #[arg(long, value_enum, value_name = "z3|cvc5")]
    pub solver: Vec<KnownSolver>,

    /// Ask another solver: a program and its arguments, to which the file's name is added
    #[arg(long, value_name = "CMD")]
    pub command: Vec<String>,

    /// Keep the queries in this directory, as SMT-LIB 2.6
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// How long z3 and cvc5 may take for a query; what takes longer is unknown
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub query_timeout: Duration,

    /// The most memory that the command may hold, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A solver whose command line is known.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum KnownSolver {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
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
