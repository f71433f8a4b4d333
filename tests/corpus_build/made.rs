//! Made-up sources, builds through the library, and the octets of folders.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::ThreadPoolBuilder;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, SourceFile, SourceOptions};
use robosift::corpus::{BuildReport, FolderBuild, FolderPlan};

use crate::cli::Bench;
use crate::random::Random;

/// How a corpus is built through the library.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) threads: usize,
    pub(crate) memory: usize,
    pub(crate) limit: BodyLimit,
    pub(crate) texts: bool,
}

impl Default for How {
    fn default() -> Self {
        How { threads: 2, memory: 256 << 20, limit: BodyLimit::DEFAULT, texts: true }
    }
}

/// The files that sources stand for, and what is built of them in `output`.
pub(crate) fn plan(output: &Path, paths: &[PathBuf], how: How) -> (Vec<SourceFile>, FolderPlan) {
    let files = paths.iter().map(|path| sources::list(path).unwrap());
    let files = files.collect::<Vec<_>>().concat();
    let plan = FolderPlan {
        output: output.to_path_buf(),
        sources: sources::number(&files).1,
        limit: how.limit,
        texts: how.texts,
        memory: how.memory,
        threads: how.threads,
        origin_of_captures: sources::state(&files, &SourceOptions::default()).unwrap(),
    };
    (files, plan)
}

/// Builds `output`; says also how many runs were sorted on disk.
pub(crate) fn build(output: &Path, paths: &[PathBuf], how: How) -> (BuildReport, usize) {
    let (files, plan) = plan(output, paths, how);
    let work = plan.work_folder();
    let build = FolderBuild::begin(plan, false).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(how.threads).build().unwrap();
    let fed = pool.install(|| sources::feed(&build, &files, &SourceOptions::default(), &()));
    fed.unwrap();
    let runs = runs(&work);
    (pool.install(|| build.finish()).unwrap(), runs)
}

/// What a process of its own is to build: output, memory, threads and sources, a line each.
const CHILD: &str = "ROBOSIFT_TEST_BUILDS";

/// Builds through the library in a process of its own, so that it can be killed; takes up what was cut off.
pub(crate) fn build_in_child(output: &Path, paths: &[PathBuf], how: How) -> Command {
    let mut lines = format!("{}\n{}\n{}", output.display(), how.memory, how.threads);
    paths.iter().for_each(|path| write!(lines, "\n{}", path.display()).unwrap());
    // This test program itself, told by the variable to do nothing else.
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["made::child", "--exact", "--nocapture"]).env(CHILD, lines);
    command
}

/// The other end of [`build_in_child`]; passes when nothing was asked.
#[test]
fn child() {
    let Ok(lines) = std::env::var(CHILD) else { return };
    let lines: Vec<&str> = lines.lines().collect();
    let [output, memory, threads, paths @ ..] = lines.as_slice() else { panic!("{lines:?}") };
    let (memory, threads) = (memory.parse().unwrap(), threads.parse().unwrap());
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let how = How { memory, threads, ..How::default() };
    let (files, plan) = plan(Path::new(output), &paths, how);
    let build = FolderBuild::begin(plan, true).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let fed = pool.install(|| sources::feed(&build, &files, &SourceOptions::default(), &()));
    fed.unwrap();
    pool.install(|| build.finish()).unwrap();
}

/// Sorted runs in the folder of a build under way.
pub(crate) fn runs(work: &Path) -> usize {
    let names = fs::read_dir(work).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("run-")).count()
}

/// All files of a folder.
pub(crate) fn octets(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, fs::read(entry.path()).unwrap())
    };
    files.map(read).collect()
}

/// Two folders hold the same files.
#[track_caller]
pub(crate) fn assert_same(found: &Path, expected: &BTreeMap<String, Vec<u8>>, what: &str) {
    let found = octets(found);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{what}");
    let differ: Vec<_> = found.iter().filter(|(name, file)| expected[*name] != **file).collect();
    let differ: Vec<_> = differ.into_iter().map(|(name, _)| name).collect();
    assert!(differ.is_empty(), "{what}: {differ:?} differ");
}

/// JSON lines: origins with several captures each, bodies that many serve, errors, redirects and their targets, captures
/// of one time in several files, captures without a place. `name0.jsonl` to `nameN.jsonl`, in a fixed order.
pub(crate) fn write_sources(bench: &Bench, name: &str, files: usize, lines: usize) -> Vec<PathBuf> {
    let mut random = Random::new(files as u64 * 1_000 + lines as u64);
    let write = |file| {
        let name = format!("{name}{file}.jsonl");
        let text = (0..lines).fold(String::new(), |text, _| text + &line(&mut random, lines));
        bench.write(&name, text);
        bench.path(&name)
    };
    (0..files).map(write).collect()
}

fn line(random: &mut Random, origins: usize) -> String {
    let origin = format!("https://h{}.example", random.below(origins));
    let url = match random.below(20) {
        0 => format!("{origin}/moved{}.txt", random.below(3)),
        1 => "mailto:nobody".to_owned(),
        _ => format!("{origin}/robots.txt"),
    };
    let hour = random.below(72);
    let time = format!("2026-03-0{}T{:02}:00:00Z", 1 + hour / 24, hour % 24);
    let mut fields = serde_json::json!({ "url": url, "fetch_time": time });
    let mut set = |name: &str, value: serde_json::Value| fields[name] = value;
    match random.below(12) {
        0 => set("status", 404.into()),
        1 => set("status", 503.into()),
        2 => {
            set("status", 301.into());
            set("redirect", format!("/moved{}.txt", random.below(3)).into());
        }
        3 => set("fetch_time", serde_json::Value::Null),
        4 => {}
        _ => set("status", 200.into()),
    }
    set("body", body(random).into());
    format!("{fields}\n")
}

/// A body; a third of them are one of a few that all share.
fn body(random: &mut Random) -> String {
    let number = if random.one_in(3) { random.below(5) } else { random.below(1 << 30) };
    let mut text = format!("User-agent: GPTBot\nDisallow: /p{number}/\nDisallow: /*.pdf$\n\n");
    text.push_str("User-agent: *\nAllow: /\n");
    for rule in 0..number % 20 {
        writeln!(text, "Disallow: /{rule}/{}*x", number % 977).unwrap();
    }
    text.push_str("Sitemap: https://h.example/sitemap.xml\n");
    text
}

/// Rows on origins of [`write_sources`], of every origin some, in a mixed order.
pub(crate) fn write_rows(bench: &Bench, name: &str, origins: usize) {
    let paths = ["/", "/p1/x", "/p2/", "/a.pdf", "/3/100ax", "/robots.txt"];
    let url = |row: usize| {
        let origin = row * 7 % (origins + 5);
        format!("https://h{origin}.example{}", paths[row % paths.len()])
    };
    let urls: Vec<String> = (0..origins * 4).map(url).collect();
    bench.urls(name, &urls.iter().map(String::as_str).collect::<Vec<_>>());
}
