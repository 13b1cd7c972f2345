//! Folders in which GCC looks for headers since the environment says so.

use std::{env, ffi::OsString, path::PathBuf};

/// The variables that say it of C.
const LISTS: [&str; 2] = ["CPATH", "C_INCLUDE_PATH"];

/// The folders by variable, seen from where the user stands, as GCC sees them there; an empty name is that folder.
pub(super) fn search_lists() -> impl Iterator<Item = (&'static str, Vec<PathBuf>)> {
    let here = env::current_dir().unwrap_or_default();
    LISTS.into_iter().filter_map(move |variable| {
        let list = env::var_os(variable).filter(|list| !list.is_empty())?;
        Some((variable, env::split_paths(&list).map(|folder| here.join(folder)).collect()))
    })
}

/// What the variables have to say so that it means the same in any folder.
pub(super) fn for_any_folder() -> impl Iterator<Item = (&'static str, OsString)> {
    search_lists().filter_map(|(variable, folders)| Some((variable, env::join_paths(folders).ok()?)))
}
