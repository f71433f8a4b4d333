//! Threads to judge on: a pool that is kept for who asks for as many next, in each process its own.
//!
//! A process that was forked has none of its parent's threads, so that work given to the parent's pool would wait for ever.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error;

/// No machine has more cores, and a number with too many digits is soon typed.
const MOST_THREADS: usize = 1024;

/// How often the user is asked whether to go on.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The pool that was asked for last: process, number of threads.
static POOL: Mutex<Option<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(None);

/// Refuses a number of threads that is none.
pub(crate) fn check_threads(threads: usize) -> PyResult<()> {
    let message =
        || error::argument(format!("threads: {threads} are too many; at most {MOST_THREADS}"));
    (threads <= MOST_THREADS).then_some(()).ok_or_else(message)
}

/// A pool of `threads` threads, one for each core where 0; `None` where the thread that asks is enough, or none can be had.
pub(crate) fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        some => some,
    };
    if threads == 1 {
        return None;
    }
    let process = std::process::id();
    let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match last.take() {
        Some((of, with, pool)) if (of, with) == (process, threads) => {
            *last = Some((of, with, Arc::clone(&pool)));
            return Some(pool);
        }
        // Its threads were left behind in the parent: ending them would be waited for in vain.
        Some((of, _, pool)) if of != process => std::mem::forget(pool),
        _ => {}
    }
    let named = |number| format!("robosift-{number}");
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build().ok()?;
    let pool = Arc::new(pool);
    *last = Some((process, threads, Arc::clone(&pool)));
    Some(pool)
}
