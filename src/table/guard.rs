//! One door for calls that may panic on hostile files.
//!
//! **Purpose.** Turn a panic inside the Parquet reader into a value. **Enters**: a closure. **Leaves**: its result, or the panic's message.
//! **Cost**: a few nanoseconds a call. **Must not know**: what the closure does.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread is inside a guarded call, where a panic becomes a damaged-file error.
///
/// A program's panic hook asks this to stay silent about panics that are handled.
pub fn guarded() -> bool {
    DEPTH.with(|depth| depth.get() > 0)
}

struct Inside;

impl Inside {
    fn enter() -> Self {
        DEPTH.with(|depth| depth.set(depth.get().saturating_add(1)));
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// Runs `work`; a panic in it comes back as its message.
///
/// What `work` borrowed mutably must not be used again after an error: it may be half changed.
pub(crate) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let _inside = Inside::enter();
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| message(cause.as_ref()))
}

fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| cause.downcast_ref::<String>().cloned());
    format!("the Parquet reader gave up ({})", text.as_deref().unwrap_or("no reason given"))
}
