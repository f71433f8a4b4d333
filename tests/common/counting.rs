//! A global allocator that counts what is held at a time, and its peak; what is asked for counts,
//! touched or not, and a list that grows counts twice meanwhile.
#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(dead_code, reason = "some tests count octets, others calls")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Of this thread alone: the harness allocates on others.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One measurement at a time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Octets allocated at most at a time while `work` runs, beyond those held before; and its result.
pub(crate) fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (PEAK.load(Relaxed) - before, result)
}

/// How often this thread allocates memory while `work` runs; and its result.
pub(crate) fn calls<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = CALLS.get();
    let result = work();
    (CALLS.get() - before, result)
}
