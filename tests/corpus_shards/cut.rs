//! Cuts captures into shards, naively: each with the captures of others that its redirects lead to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use robosift::compile::BodyLimit;
use robosift::corpus::{
    BuildReport, CaptureSink, FolderBuild, FolderPlan, Place, RawCapture, Sentences, ShardsReport,
    settle_shards,
};
use robosift::text::origin::Origin;
use url::Url;

use crate::crawl::{SOURCES, Sourced};

/// Redirects that are followed.
const MOST_HOPS: usize = 5;

/// How folders are built.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) limit: BodyLimit,
    pub(crate) texts: bool,
    /// Whether shards hold what redirects lead to.
    pub(crate) imports: bool,
}

impl Default for How {
    fn default() -> Self {
        How { limit: BodyLimit::DEFAULT, texts: true, imports: true }
    }
}

/// Builds one folder of captures.
pub(crate) fn build(output: &Path, captures: &[Sourced], how: How) -> BuildReport {
    let plan = FolderPlan {
        output: output.to_path_buf(),
        sources: SOURCES.map(str::to_owned).to_vec(),
        limit: how.limit,
        texts: how.texts,
        memory: 1 << 20,
        threads: 1,
        origin_of_captures: String::new(),
    };
    let build = FolderBuild::begin(plan, false).unwrap();
    let mut intake = build.intake();
    for (number, _) in (0..).zip(SOURCES) {
        intake.begin(number);
        let here = captures.iter().filter(|(source, _)| u32::try_from(*source) == Ok(number));
        here.for_each(|(_, capture)| intake.add(capture.clone()).unwrap());
        intake.end(Sentences::default()).unwrap();
    }
    intake.finish().unwrap();
    build.finish().unwrap()
}

/// Builds `root` of so many shards and settles it.
pub(crate) fn build_shards(
    root: &Path,
    captures: &[Sourced],
    shards: usize,
    how: How,
) -> ShardsReport {
    std::fs::create_dir_all(root).unwrap();
    for (shard, captures) in cut(captures, shards, how.imports).iter().enumerate() {
        build(&root.join(format!("shard-{shard:05}")), captures, how);
    }
    settle_shards(root).unwrap()
}

fn url_of(capture: &RawCapture) -> String {
    match &capture.place {
        Place::Origin(origin) => format!("{}/robots.txt", String::from_utf8_lossy(origin)),
        Place::Url(url) | Place::Imported(url) => String::from_utf8_lossy(url).into_owned(),
    }
}

fn surt_of(url: &str) -> String {
    Origin::parse(url.as_bytes()).unwrap().surt()
}

/// Captures by shard. The third of several shards is empty, whatever there is.
pub(crate) fn cut(captures: &[Sourced], shards: usize, imports: bool) -> Vec<Vec<Sourced>> {
    let keys: BTreeSet<String> = captures.iter().map(|(_, c)| surt_of(&url_of(c))).collect();
    let filled = if shards > 2 { shards - 1 } else { shards };
    let per_shard = keys.len().div_ceil(filled);
    let shard_of: BTreeMap<&str, usize> = keys
        .iter()
        .enumerate()
        .map(|(at, key)| (key.as_str(), at / per_shard))
        .map(|(key, shard)| (key, if filled < shards && shard >= 2 { shard + 1 } else { shard }))
        .collect();
    let home = |capture: &RawCapture| shard_of[surt_of(&url_of(capture)).as_str()];
    let cut_one = |shard: usize| {
        let wanted = if imports { wanted(captures, |c| home(c) == shard) } else { BTreeSet::new() };
        let mut here = Vec::new();
        for (source, capture) in captures {
            let url = url_of(capture);
            if home(capture) == shard {
                here.push((*source, capture.clone()));
            } else if wanted.contains(&url) {
                let place = Place::Imported(url.into_bytes());
                here.push((*source, RawCapture { place, ..capture.clone() }));
            }
        }
        here
    };
    (0..shards).map(cut_one).collect()
}

/// The URLs that redirects of a shard's origins lead to, within so many hops.
fn wanted(captures: &[Sourced], is_own: impl Fn(&RawCapture) -> bool) -> BTreeSet<String> {
    let is_robots = |capture: &RawCapture| url_of(capture).ends_with("/robots.txt");
    let own = captures.iter().map(|(_, capture)| capture);
    let mut step: Vec<&RawCapture> = own.filter(|c| is_own(c) && is_robots(c)).collect();
    let mut wanted = BTreeSet::new();
    for _ in 0..MOST_HOPS {
        let target = |capture: &&RawCapture| {
            let base = Url::parse(&url_of(capture)).unwrap();
            Some(base.join(capture.redirect.as_deref()?).unwrap().to_string())
        };
        let targets: BTreeSet<String> = step.iter().filter_map(target).collect();
        let next = captures.iter().map(|(_, capture)| capture);
        step = next.filter(|capture| targets.contains(&url_of(capture))).collect();
        wanted.extend(targets);
    }
    wanted
}
