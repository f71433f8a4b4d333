//! Progress of commands that read files: a bar on a terminal, a line every ten seconds elsewhere, nothing when asked to be
//! quiet.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use robosift::corpus::sources::{BuildWatch, SourceFile};

use super::message::tell;

/// Between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

const BAR: &str = "{wide_bar} {human_pos} of {human_len} files, {per_sec}, {eta} left";

/// A spinner with a text, for what has no known end.
pub(crate) fn waiting(quiet: bool, text: &'static str) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(text);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Watches files being read.
pub(crate) struct FileProgress {
    bar: ProgressBar,
    lines: bool,
    all: u64,
    state: Mutex<(u64, Instant)>,
}

impl FileProgress {
    pub(crate) fn new(quiet: bool, files: u64) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = match terminal && !quiet {
            true => ProgressBar::new(files),
            false => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template(BAR);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let state = Mutex::new((0, Instant::now()));
        FileProgress { bar, lines: !terminal && !quiet, all: files, state }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl BuildWatch for FileProgress {
    fn source_done(&self, _: &SourceFile) {
        self.bar.inc(1);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        if self.lines && state.1.elapsed() >= INTERVAL {
            state.1 = Instant::now();
            tell(format_args!("{} of {} files read", state.0, self.all));
        }
    }
}
