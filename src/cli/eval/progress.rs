//! Progress of an `eval`: a line that is drawn anew on a terminal, a line every ten seconds
//! elsewhere, nothing when asked to be quiet.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressStyle};
use robosift::evaluate::{AgentTally, Tally};
use robosift::job::CompareTally;
use robosift::stream::Progress;

use crate::cli::message::tell;
use crate::cli::quantity::brief;

/// Between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Between two drawings of the line on a terminal.
const REDRAW: Duration = Duration::from_millis(100);

/// What does not fit the terminal's width is cut from the message.
const BAR: &str = "{bar:16} {percent:>3}%  {wide_msg}";

/// Watches rows being judged.
pub(crate) struct EvalProgress {
    bar: ProgressBar,
    kind: Kind,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Terminal,
    Lines,
    None,
}

struct State {
    started: Instant,
    told: Instant,
    rows: u64,
    all_rows: u64,
    octets: u64,
    verdicts: AgentTally,
}

impl EvalProgress {
    pub(crate) fn new(quiet: bool) -> Self {
        let kind = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Kind::None,
            (false, true) => Kind::Terminal,
            (false, false) => Kind::Lines,
        };
        let now = Instant::now();
        let bar = match kind {
            Kind::Terminal => ProgressBar::new(0),
            Kind::Lines | Kind::None => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template(BAR);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let state = State {
            started: now,
            told: now,
            rows: 0,
            all_rows: 0,
            octets: 0,
            verdicts: AgentTally::default(),
        };
        EvalProgress { bar, kind, state: Mutex::new(state) }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl State {
    fn left(&self) -> Duration {
        let done = self.rows.max(1) as f64;
        let ahead = self.all_rows.saturating_sub(self.rows) as f64;
        Duration::try_from_secs_f64(self.started.elapsed().as_secs_f64() * ahead / done)
            .unwrap_or_default()
    }

    /// Rows, rate, octets, time left, verdicts so far.
    fn line(&self) -> String {
        let rate = self.rows as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        // Verdicts are known a row group at a time.
        let verdicts = match self.verdicts.total() {
            [0, 0, 0] => String::new(),
            counts => {
                let [allowed, refused, unknown] = counts.map(brief);
                format!(": {allowed} allowed, {refused} refused, {unknown} unknown")
            }
        };
        format!(
            "{}/{} rows, {:.1}M/s, {}, {:#} left{verdicts}",
            brief(self.rows),
            brief(self.all_rows),
            rate / 1e6,
            HumanBytes(self.octets),
            HumanDuration(self.left()),
        )
    }
}

impl EvalProgress {
    fn all_rows(&self, rows: u64) {
        self.bar.set_length(rows);
        self.state.lock().unwrap_or_else(PoisonError::into_inner).all_rows = rows;
    }

    fn more_rows(&self, rows: u64, octets: u64) {
        if self.kind == Kind::None {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.rows += rows;
        state.octets += octets;
        let interval = if self.kind == Kind::Terminal { REDRAW } else { INTERVAL };
        if state.told.elapsed() < interval {
            return;
        }
        state.told = Instant::now();
        if self.kind == Kind::Terminal {
            self.bar.set_position(state.rows);
            self.bar.set_message(state.line());
        } else {
            tell(state.line());
        }
    }

    fn more_verdicts(&self, verdicts: AgentTally) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.verdicts += verdicts;
    }
}

impl Progress<Tally> for EvalProgress {
    fn planned(&self, _: u64, rows: u64, _: u64) {
        self.all_rows(rows);
    }

    fn advance(&self, rows: u64, octets: u64) {
        self.more_rows(rows, octets);
    }

    fn tally(&self, unit: &Tally) {
        self.more_verdicts(unit.all_agents());
    }
}

/// Shows the verdicts of the left way.
impl Progress<CompareTally> for EvalProgress {
    fn planned(&self, _: u64, rows: u64, _: u64) {
        self.all_rows(rows);
    }

    fn advance(&self, rows: u64, octets: u64) {
        self.more_rows(rows, octets);
    }

    fn tally(&self, unit: &CompareTally) {
        self.more_verdicts(unit.left.all_agents());
    }
}
