//! The `robosift` binary: arguments in, exit code out.

mod cli;

use std::process::ExitCode;

/// mimalloc, because a run allocates many buffers of mixed size on one thread and frees them on
/// another: decoded pages, encoded columns, and one program a body while a corpus is compiled.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::silence_handled_panics();
    cli::run().into()
}
