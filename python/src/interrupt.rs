//! Work that a user may end with Ctrl-C.
//!
//! Python hears of a signal only where the thread it came to asks. Long work runs on a thread of its own while that one waits, and asks ten times
//! a second.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

use crate::error;
use crate::pool::LOOK_EVERY;

/// What `work` gives. Once the user has had enough, `stop` is called, `work` awaited, and the exception raised whatever came of it.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(1);
        scope.spawn(move || {
            // Who asked waits until this came.
            let _ = send.send(work());
        });
        // Only so that it may be waited at while the interpreter is let go.
        let receive = Mutex::new(receive);
        let wait =
            || receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_EVERY);
        let mut interrupt = None;
        loop {
            match py.detach(wait) {
                Ok(outcome) => return interrupt.map_or(Ok(outcome), Err),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(error::files("the work ended without a result"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupt.is_none() {
                interrupt = py.check_signals().err();
                interrupt.iter().for_each(|_| stop());
            }
        }
    })
}
