//! Work on several things at a time, whose results are taken in the order of the things.

use super::Trouble;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    num::NonZeroUsize,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Works on all items, so many at a time, and hands each result on as soon as those before it are there.
///
/// # Errors
///
/// A result cannot be taken; then nothing more is begun.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
    let work_on = |sender: mpsc::Sender<(usize, R)>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return };
            // Nobody listens where a result could not be taken, and then there is nothing more to do.
            if sender.send((number, work(item))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(items.len()) {
            let sender = sender.clone();
            scope.spawn(|| work_on(sender));
        }
        drop(sender);
        let mut waiting: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let mut taken = 0;
        for (number, result) in receiver {
            if let Some(place) = waiting.get_mut(number) {
                *place = Some(result);
            }
            while let Some((item, result)) = items.get(taken).zip(waiting.get_mut(taken).and_then(Option::take)) {
                take(item, result)?;
                taken += 1;
            }
        }
        Ok(())
    })
}

/// Shows how many of so many things are done; nothing unless standard error is a terminal.
pub fn bar(things: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(things).unwrap_or(u64::MAX));
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
