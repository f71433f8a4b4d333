//! Crawls of the same made-up origins, streamed into a build; nothing of them is kept.

use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use robosift::compile::BodyLimit;
use robosift::corpus::{BuildReport, CaptureSink, FolderBuild, FolderPlan, Sentences};
use robosift::workload::Workload;

use super::crawl;

/// Microseconds between two crawls.
const MONTH: i64 = 30 * 86_400 * 1_000_000;

/// Builds the corpus `output` of `crawls` crawls, a month after each other, with at most `memory` octets. Gives what the build
/// says and the seconds that reading and sorting took, with making up.
pub(crate) fn build(
    workload: &Workload,
    crawls: u32,
    memory: usize,
    output: &Path,
) -> (BuildReport, f64) {
    let plan = FolderPlan {
        output: output.to_owned(),
        sources: (0..crawls).map(|crawl| format!("crawl {crawl}")).collect(),
        limit: BodyLimit::DEFAULT,
        texts: true,
        memory,
        threads: rayon::current_num_threads(),
        origin_of_captures: String::new(),
    };
    let started = Instant::now();
    let build = FolderBuild::begin(plan, false).unwrap();
    (0..crawls).into_par_iter().for_each(|crawl| {
        let mut intake = build.intake();
        intake.begin(crawl);
        for mut capture in workload.robots_batches().flat_map(|batch| crawl::captures(&batch)) {
            capture.time = capture.time.map(|time| time + i64::from(crawl) * MONTH);
            intake.add(capture).unwrap();
        }
        intake.end(Sentences::default()).unwrap();
        intake.finish().unwrap();
    });
    let seconds_to_read = started.elapsed().as_secs_f64();
    (build.finish().unwrap(), seconds_to_read)
}
