//! Threads to judge on: a pool for each number of them, in each process.
//!
//! A process that was forked has none of its parent's threads, so that work given to the parent's pool would wait for ever.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error;

/// By process and number of threads.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

/// No machine has more cores, and a number with too many digits is soon typed.
const MOST_THREADS: usize = 1024;

/// How often the user is asked whether to go on.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// Refuses a number of threads that is none.
pub(crate) fn check_threads(threads: usize) -> PyResult<()> {
    let message =
        || error::argument(format!("threads: {threads} are too many; at most {MOST_THREADS}"));
    (threads <= MOST_THREADS).then_some(()).ok_or_else(message)
}

/// A pool of `threads` threads, one for each core where 0; `None` where the thread that asks is enough.
pub(crate) fn pool(threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        some => some,
    };
    check_threads(threads)?;
    if threads == 1 {
        return Ok(None);
    }
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    let process = std::process::id();
    // Those of a parent cannot be ended from here; forgetting them is all there is.
    let strange: Vec<_> = pools.keys().filter(|(of, _)| *of != process).copied().collect();
    strange.iter().filter_map(|key| pools.remove(key)).for_each(std::mem::forget);
    if let Some(pool) = pools.get(&(process, threads)) {
        return Ok(Some(Arc::clone(pool)));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("robosift-{number}"))
        .build()
        .map_err(|error| error::argument(format!("threads: {error}")))?;
    let pool = Arc::new(pool);
    pools.insert((process, threads), Arc::clone(&pool));
    Ok(Some(pool))
}
