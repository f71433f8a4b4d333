//! The Python wheel: robosift's corpora and verdicts for whatever speaks the Arrow C interface.
//!
//! Enters: Python objects. Leaves: Arrow streams that are judged as they are read, and small classes for single questions. A thin
//! wrapper: what a verdict means is known to the crate `robosift` alone, and what libraries want back to the Python files
//! beside this one. Everything that takes long lets go of the interpreter.

#![expect(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

mod capsule;
mod corpus;
mod error;
mod evaluator;
mod files;
mod interrupt;
mod judge;
mod lint;
mod options;
mod pool;
mod robots;
mod rows;
mod shards;
mod verdicts;

use pyo3::prelude::*;

/// As in the binary: many short-lived buffers of mixed size from several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What `robosift` imports; not to be used by itself.
#[pymodule]
mod _robosift {
    #[pymodule_export]
    use super::corpus::{Corpus, build_corpus};
    #[pymodule_export]
    use super::evaluator::Evaluator;
    #[pymodule_export]
    use super::files::eval_files;
    #[pymodule_export]
    use super::lint::lint;
    #[pymodule_export]
    use super::robots::RobotsTxt;
    #[pymodule_export]
    use super::shards::{ShardBuilder, locate_captures, settle_shards};
    #[pymodule_export]
    use super::verdicts::VerdictStream;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
