//! A global allocator that counts the bytes that are held, and has the process ended before they are more than a limit.

use std::{
    alloc::{GlobalAlloc, Layout},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Another allocator, and a count of the bytes that were asked of it and not given back. What it needs for itself is not counted.
#[derive(Debug)]
pub struct Counting<A> {
    inner: A,
    at_limit: fn() -> !,
    held: AtomicUsize,
    limit: AtomicUsize,
}

impl<A> Counting<A> {
    /// Counts what is asked of `inner`, for now without a limit. `at_limit` is called, once, by the thread that would pass the limit; it may
    /// allocate, and ends the process.
    pub const fn new(inner: A, at_limit: fn() -> !) -> Self {
        Self {
            inner,
            at_limit,
            held: AtomicUsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
        }
    }

    /// From now on at most so many bytes may be held; `usize::MAX` for any number.
    pub fn set_limit(&self, bytes: usize) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// The bytes that are held.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Counts bytes before they are held.
    fn take(&self, bytes: usize) {
        let held = self
            .held
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes);
        if held > self.limit.load(Ordering::Relaxed) {
            self.end();
        }
    }

    /// The limit is lifted for whoever says that it was met. Others that come here before the process has ended go on.
    #[cold]
    fn end(&self) {
        if self.limit.swap(usize::MAX, Ordering::Relaxed) != usize::MAX {
            (self.at_limit)();
        }
    }

    fn release(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: each call is passed on as it is, and so is its result; counting touches no memory but the two numbers.
#[expect(unsafe_code, reason = "allocators are unsafe to implement")]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.take(layout.size());
        // SAFETY: what the caller promises.
        unsafe { self.inner.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.take(layout.size());
        // SAFETY: what the caller promises.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both are held where the contents are moved.
        self.take(size);
        // SAFETY: what the caller promises.
        let moved = unsafe { self.inner.realloc(pointer, layout, size) };
        self.release(if moved.is_null() { size } else { layout.size() });
        moved
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises.
        unsafe { self.inner.dealloc(pointer, layout) }
        self.release(layout.size());
    }
}

#[cfg(test)]
mod tests {
    use super::Counting;
    use std::alloc::System;

    fn at_limit() -> ! {
        std::process::exit(7)
    }

    #[global_allocator]
    static ALLOCATOR: Counting<System> = Counting::new(System, at_limit);

    /// Other threads of the test hold little.
    const SLACK: usize = 1 << 16;

    #[test]
    fn what_is_held_is_counted() {
        let before = ALLOCATOR.held();
        let mut bytes = vec![1u8; 10 << 20];
        assert!(ALLOCATOR.held().abs_diff(before + (10 << 20)) < SLACK);
        bytes.reserve_exact(20 << 20);
        assert!(ALLOCATOR.held().abs_diff(before + (30 << 20)) < SLACK);
        bytes.truncate(1 << 20);
        bytes.shrink_to_fit();
        assert!(ALLOCATOR.held().abs_diff(before + (1 << 20)) < SLACK);
        drop(bytes);
        assert!(ALLOCATOR.held().abs_diff(before) < SLACK);
    }
}
