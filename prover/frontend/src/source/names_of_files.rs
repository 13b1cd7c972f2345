//! What `__FILE__` and `__FILE_NAME__` are.

use super::{unit::report_at, users_text::UsersText};
use crate::diagnostics::{Kind, Report};
use std::path::Path;

/// The name that the compiler knows the file by, and that `__FILE__` gives: without directories, since the program must not depend on where
/// the file lies, and without characters that would need an escape.
pub(crate) fn plain_name(name: &str) -> String {
    let plain = Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy());
    plain
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() || "._-+<> ".contains(character) { character } else { '_' })
        .collect()
}

/// Where the name of a file is said that is another one here, since it has characters that need an escape. What `assert` says of it only the library reads.
pub(super) fn said(text: &UsersText) -> Option<Report> {
    let own = text.files.iter().filter(|file| file.bytes.is_some());
    let changed = own.filter_map(|file| Path::new(&file.name).file_name()?.to_str()).any(|name| plain_name(name) != name);
    if !changed {
        return None;
    }
    let mut saying = text.library.with(|token| token.is_any(&NAMES_OF_FILE));
    saying.extend(text.library.leading_to(&saying));
    saying.remove("assert");
    let found = text.tokens.iter().find(|token| token.is_any(&NAMES_OF_FILE) || saying.contains(&*token.text)).map(|token| token.place);
    let place = found.or_else(|| NAMES_OF_FILE.iter().find_map(|name| text.parts_of_names().last_of(name)).map(|part| text.place(part)))?;
    Some(report_at(text.files, place, Kind::Unsupported, "the name of a file with other characters than letters, digits and '._-+<> '"))
}

/// The macros that say it; the second one without folders everywhere.
pub(super) const NAMES_OF_FILE: [&str; 2] = ["__FILE__", "__FILE_NAME__"];
