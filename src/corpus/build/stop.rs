//! Ends a build from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::corpus::CorpusError;

/// Tells a build that it is not wanted any more; it then ends with an error, and can be taken up again.
#[derive(Clone, Debug, Default)]
pub struct BuildStop(Arc<AtomicBool>);

impl BuildStop {
    /// The build is to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// An error where it is to.
    pub(super) fn check(&self) -> Result<(), CorpusError> {
        match self.0.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(CorpusError::plain("the build was interrupted; it can be resumed")),
        }
    }
}
