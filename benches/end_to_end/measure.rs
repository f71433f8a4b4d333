//! Times, medians, lines of figures.

use std::fs;
use std::time::Instant;

const RUNS: usize = 5;

/// Two times measured in turn, and their ratio.
pub(crate) struct Line {
    name: &'static str,
    rows: u64,
    pairs: Vec<[f64; 2]>,
}

impl Line {
    pub(crate) fn new(name: &'static str, rows: u64) -> Self {
        Line { name, rows, pairs: Vec::new() }
    }

    /// Measures pairs of seconds.
    pub(crate) fn fill(&mut self, mut measure: impl FnMut() -> [f64; 2]) {
        self.pairs = (0..RUNS).map(|_| measure()).collect();
    }

    /// Prints the medians of both, in nanoseconds a row, and of the ratio of the second to the first.
    pub(crate) fn print(&self, [first, second]: [&str; 2]) {
        let nanoseconds = |at: usize| 1e9 / self.rows as f64 * self.median(|pair| pair[at]);
        let ratio = self.median(|pair| pair[1] / pair[0]);
        println!(
            "{:<24} {first} {:.1} ns a row, {second} {:.1} ns a row, ratio {ratio:.2}",
            self.name,
            nanoseconds(0),
            nanoseconds(1)
        );
    }

    fn median(&self, of: impl Fn(&[f64; 2]) -> f64) -> f64 {
        let mut values: Vec<f64> = self.pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }
}

/// CPU seconds of all threads of this process while `work` runs.
pub(crate) fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let before = process_cpu();
    work();
    process_cpu() - before
}

pub(crate) fn wall_seconds(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
}

/// User and system time so far, in seconds (Linux).
fn process_cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks / 100.0
}
