//! Whether all paths of the certified graph are feasible, as far as that is asked (`spec/paths.md#exact`).

use super::{arguments::Paths, subject::Subject};
use crate::command::watchdog::{Limits, Watchdog};
use goatherd::certify::{Accepted, paths::statement};
use goatherd_paths::draw::{
    certified::Certified,
    confirm::{Bounds, Confirmation, confirm},
    driver::Driver,
};
use serde::Serialize;
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What is known of the paths that are left.
#[derive(Serialize, Debug)]
pub struct Exactness {
    /// Is every complete path known to be feasible, up to the length that was asked for?
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<Confirmed>,
    #[serde(skip)]
    phrase: String,
}

/// Of paths that were tried.
#[derive(Serialize, Debug)]
struct Confirmed {
    /// As `--confirm` asks.
    asked: usize,
    /// All complete paths of at most so many steps were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    /// Has the graph complete paths that are longer?
    longer: bool,
    feasible: usize,
    infeasible: usize,
    unknown: usize,
}

impl Exactness {
    /// Tries the paths that the arguments ask for, as long as the driver has time.
    pub fn new(arguments: &Paths, subject: &Subject, accepted: &Accepted, driver: Option<&Driver<'_>>) -> Self {
        let Some(graph) = &accepted.verdict.graph else { return Self::unknown("the verdict has no graph") };
        if graph.root.is_none() {
            return Self { exact: true, confirmed: None, phrase: "yes: no path is left".to_owned() };
        }
        let (Some(length), Some(driver)) = (arguments.trying.confirm, driver) else {
            return Self::unknown("--confirm STEPS tries every path");
        };
        let statement = statement(&subject.realisation, &subject.about);
        let certified = match Certified::new(graph, &statement, subject.about.ends) {
            Ok(certified) => certified,
            Err(unclear) => return Self::unknown(&unclear.to_string()),
        };
        let bounds = Bounds { length, paths: arguments.trying.confirm_paths };
        let tried = Arc::new(AtomicUsize::new(0));
        let (file, shown) = (arguments.input.file.display().to_string(), Arc::clone(&tried));
        let activity = move || format!("{file}: {} paths tried", shown.load(Ordering::Relaxed));
        let _progress = Watchdog::start(Limits::default(), activity, |_| {});
        let confirmation = confirm(&certified, bounds, driver, |_, _| {
            tried.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        let limit = if driver.is_over() { "--timeout" } else { "--confirm-paths" };
        Self {
            exact: confirmation.is_exact(length),
            phrase: phrase(&confirmation, length, limit),
            confirmed: Some(Confirmed::new(&confirmation, length)),
        }
    }

    fn unknown(why: &str) -> Self {
        Self { exact: false, confirmed: None, phrase: format!("not known; {why}") }
    }

    /// In words.
    pub fn text(&self) -> &str {
        &self.phrase
    }
}

impl Confirmed {
    fn new(confirmation: &Confirmation, asked: usize) -> Self {
        let Confirmation { length, has_longer, driven, infeasible, unknown } = *confirmation;
        Self { asked, length, longer: has_longer, feasible: driven, infeasible, unknown }
    }
}

fn phrase(confirmation: &Confirmation, asked: usize, limit: &str) -> String {
    let Confirmation { length, has_longer, driven, infeasible, unknown } = *confirmation;
    let tried = confirmation.tried();
    match length {
        _ if infeasible > 0 => format!("no: of {tried} paths that were tried, {infeasible} are infeasible and {unknown} unknown"),
        _ if unknown > 0 => format!("not known: of {tried} paths that were tried, {unknown} are unknown"),
        None => format!("not known: no length was tried wholly ({limit})"),
        Some(_) if !has_longer => format!("yes: inputs drive all {driven} paths"),
        Some(length) if length >= asked => format!("up to {asked} steps: inputs drive all {driven} paths"),
        Some(length) => format!("up to {length} steps only, not {asked} ({limit}): inputs drive all paths that were tried, {driven}"),
    }
}
