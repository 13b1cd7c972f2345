//! Data flow against the direction of a program: what holds before an instruction follows from what holds before those that may come next.

use crate::instruction::successors;
use goatherd_certificates::program::{Location, Program};
use std::collections::VecDeque;

/// By location, what holds there: everywhere the same at the start, and then what `before` makes of what holds elsewhere, until nothing changes.
pub fn backwards<T: Clone + PartialEq>(program: &Program, start: T, before: impl Fn(Location, &[T]) -> T) -> Vec<T> {
    backwards_from(program, vec![start; program.instructions.len()], before)
}

/// The same, where what holds at the start differs.
pub fn backwards_from<T: PartialEq>(program: &Program, mut found: Vec<T>, before: impl Fn(Location, &[T]) -> T) -> Vec<T> {
    let locations: Vec<Location> = (0..).map(Location).take(program.instructions.len()).collect();
    let mut predecessors: Vec<Vec<Location>> = vec![Vec::new(); program.instructions.len()];
    for location in &locations {
        for successor in successors(program, *location) {
            predecessors[successor.index()].push(*location);
        }
    }
    // The last first: most of what comes later is known then.
    let mut open: VecDeque<Location> = locations.into_iter().rev().collect();
    let mut is_open = vec![true; program.instructions.len()];
    while let Some(location) = open.pop_front() {
        is_open[location.index()] = false;
        let before = before(location, &found);
        if before != found[location.index()] {
            found[location.index()] = before;
            for predecessor in &predecessors[location.index()] {
                if !std::mem::replace(&mut is_open[predecessor.index()], true) {
                    open.push_back(*predecessor);
                }
            }
        }
    }
    found
}
