//! The first damage met while a corpus is read.
//!
//! Enters: errors of single reads, from any thread. Leaves: the first of them, when the owner asks, once for
//! each batch of rows. So a read gives plain octets and the hot paths carry no `Result`. Cost: one load to ask.

use std::sync::{Arc, OnceLock};

use super::FilesError;

/// A cell that all regions of a corpus share. What was read since the last check without damage is true.
#[derive(Debug, Clone, Default)]
pub struct Damage(Arc<OnceLock<FilesError>>);

impl Damage {
    /// Keeps `error`, unless there is one already.
    #[cold]
    pub fn note(&self, error: FilesError) {
        // A second damage says no more than the first.
        let _ = self.0.set(error);
    }

    /// The damage that was met first.
    #[must_use]
    pub fn first(&self) -> Option<&FilesError> {
        self.0.get()
    }

    /// To be asked after reading and before anything read is used for good.
    ///
    /// # Errors
    /// The damage that was met first; it stays.
    pub fn check(&self) -> Result<(), FilesError> {
        self.first().map_or(Ok(()), |error| Err(error.clone()))
    }
}
