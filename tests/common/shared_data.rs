//! The shared test data, which lies beside the crate and is never copied into it.
#![allow(
    dead_code,
    clippy::panic,
    reason = "each test binary uses some of it; a test reports by failing"
)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of the shared test data. Where it is absent: `None` with a visible line, or a failure when
/// `ROBOSIFT_REQUIRE_SHARED=1` asks for it.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    let is_required = std::env::var_os("ROBOSIFT_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!is_required, "shared test data is required and absent: {}", path.display());
    // Written past the macros, whose words the test runner keeps to itself when a test passes.
    let _ = writeln!(io::stderr(), "SKIPPED: shared test data is absent: {}", path.display());
    None
}
