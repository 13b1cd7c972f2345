//! Precompiled headers, `list.h.gch` beside `list.h`: GCC reads one in the header's place, other than where it is only to preprocess.

use super::{
    File,
    directives::{self, Part},
    token::{Place, Token, TokenKind, tokens},
    unit::report_at,
};
use crate::diagnostics::{Kind, Report};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Refuses files beside which there is one, or beside which one is found for a name that is included.
pub(super) fn precompiled(files: &[File], directory: &Path, include_directories: &[PathBuf]) -> Vec<Report> {
    let own = (0..).zip(files).filter_map(|(number, file)| Some((number, file, file.bytes.as_ref()?)));
    let mut refused = Vec::new();
    for (number, file, bytes) in own {
        let path = Path::new(&file.name);
        // The first file is read from the standard input, in its directory.
        let beside = if number == 0 { directory } else { path.parent().unwrap_or(directory) };
        if number > 0 && is_precompiled(path) {
            refused.push(Report::of_file(Kind::Unsupported, &file.name, MESSAGE));
        }
        let named = directives::parts(tokens(bytes, Place { file: number, line: 1, column: 1 }));
        let found = named.iter().filter_map(included).filter(|(_, name)| {
            let mut folders = include_directories.iter().map(PathBuf::as_path).chain([beside]);
            folders.any(|folder| is_precompiled(&folder.join(name)))
        });
        refused.extend(found.map(|(token, _)| report_at(files, token.place, Kind::Unsupported, MESSAGE)));
    }
    refused
}

const MESSAGE: &str = "a header beside which there is a precompiled one";

fn is_precompiled(header: &Path) -> bool {
    let mut name = OsString::from(header);
    name.push(".gch");
    Path::new(&name).exists()
}

/// The name that a directive includes, if it stands there, with its first token.
fn included(part: &Part) -> Option<(&Token, String)> {
    let Part::Directive(_, line) = part else { return None };
    let (directive, name) = line.split_first()?;
    let first = name.first().filter(|_| directive.is_any(&["include", "include_next", "import"]))?;
    let text = match first.kind {
        TokenKind::String => first.text.trim_matches('"').to_owned(),
        _ => name.iter().skip(1).take_while(|token| !token.is(">")).map(|token| &*token.text).collect(),
    };
    Some((first, text))
}
