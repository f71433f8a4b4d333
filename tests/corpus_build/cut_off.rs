//! Builds that end before they are done: killed, or dropped between two sources. What stands under the final name is
//! whole, and what is taken up again comes out as if nothing had been.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use robosift::corpus::sources::{self, SourceOptions};
use robosift::corpus::{BuildReport, FolderBuild};

use crate::cli::Bench;
use crate::made::{self, How, assert_same, octets, plan, runs};
use crate::random::Random;

/// Points at which a build is killed.
const KILLS: u32 = 20;

fn command(bench: &Bench, output: &str, sources: &[PathBuf], resume: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robosift"));
    command.args(["corpus", "build", "-q", "--threads", "2", "-o", output]).args(sources);
    command.args(resume.then_some("--resume")).current_dir(bench.path(""));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[track_caller]
fn ends_well(mut command: Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Whenever the process is killed, the corpus is absent or whole; the next run makes it whole.
#[test]
fn the_binary_killed_at_any_point_leaves_nothing_or_the_whole() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 12, 1_000);
    kill_at_many_points(&bench, &sources, |resume| command(&bench, "out", &sources, resume));
}

/// With so little memory that every source is sealed by itself, and with other threads each time.
#[test]
fn a_build_of_many_seals_killed_at_any_point_leaves_nothing_or_the_whole() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 12, 400);
    let threads = Cell::new(0);
    kill_at_many_points(&bench, &sources, |_| {
        threads.set(threads.get() % 3 + 1);
        let how = How { memory: 32 << 10, threads: threads.get(), ..How::default() };
        made::build_in_child(&bench.path("out"), &sources, how)
    });
}

/// Kills what `build` gives at points from the first source read to past the last file written; where they fall decides
/// nothing. Then `build` is asked again, mostly to take up what was cut off.
fn kill_at_many_points(bench: &Bench, sources: &[PathBuf], build: impl Fn(bool) -> Command) {
    let expected = undisturbed(bench, sources).octets;
    let (output, work) = (bench.path("out"), bench.path("out.partial"));
    let started = Instant::now();
    ends_well(build(false));
    let all = started.elapsed();
    let mut random = Random::new(u64::from(all.subsec_nanos()));
    let (mut were_cut_off, mut had_seals) = (0, 0);
    for kill in 0..KILLS {
        fs::remove_dir_all(&output).unwrap();
        let part = f64::from(kill) + f64::from(u16::try_from(random.below(1_000)).unwrap()) / 1e3;
        let after = all.mul_f64(part / f64::from(KILLS));
        let mut child = build(false).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
        let what = format!("killed after {after:?} of {all:?}");
        if !output.exists() {
            were_cut_off += 1;
            let journal = fs::read_to_string(work.join("journal")).unwrap_or_default();
            had_seals += u32::from(journal.lines().count() > 1);
            ends_well(build(kill % 3 != 0));
            assert!(!work.exists(), "{what}");
        }
        assert_same(&output, &expected, &what);
        // Killed between the last two steps, it leaves rests, which are not taken for a corpus.
        assert!(!work.join("corpus").exists(), "{what}");
    }
    println!("{were_cut_off} of {KILLS} builds of {all:?} were cut off, {had_seals} with seals");
    assert!(were_cut_off > 0, "{all:?} are too short to be cut off");
}

/// A build of which the first `count` sources were read.
fn cut_off(output: &Path, sources: &[PathBuf], count: usize, how: How) -> PathBuf {
    let (files, plan) = plan(output, sources, how);
    let work = plan.work_folder();
    let build = FolderBuild::begin(plan, false).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(how.threads).build().unwrap();
    let fed =
        pool.install(|| sources::feed(&build, &files[..count], &SourceOptions::default(), &()));
    fed.unwrap();
    work
}

/// Takes it up again; which sources it knew already.
fn resume(output: &Path, sources: &[PathBuf], how: How) -> (BuildReport, Vec<bool>) {
    let (files, plan) = plan(output, sources, how);
    let build = FolderBuild::begin(plan, true).unwrap();
    assert!(build.was_resumed());
    let done = (0..u32::try_from(sources.len()).unwrap()).map(|source| build.is_done(source));
    let done = done.collect();
    sources::feed(&build, &files, &SourceOptions::default(), &()).unwrap();
    (build.finish().unwrap(), done)
}

struct Undisturbed {
    report: BuildReport,
    octets: BTreeMap<String, Vec<u8>>,
}

fn undisturbed(bench: &Bench, sources: &[PathBuf]) -> Undisturbed {
    let folder = bench.path("undisturbed");
    let (report, _) = made::build(&folder, sources, How::default());
    Undisturbed { report, octets: octets(&folder) }
}

#[test]
fn taken_up_after_any_source_it_comes_out_the_same() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 6, 150);
    let expected = undisturbed(&bench, &sources);
    for count in 0..=sources.len() {
        for memory in [32 << 10, 64 << 20] {
            let output = bench.path(&format!("out-{count}-{memory}"));
            let how = How { memory, ..How::default() };
            let work = cut_off(&output, &sources, count, how);
            // Of a run and a text that were never sealed, and of tables half written, nothing may stay.
            fs::write(work.join("run-000999"), "half a run").unwrap();
            fs::create_dir(work.join("corpus")).unwrap();
            fs::write(work.join("corpus/origins.arrow"), "half a table").unwrap();
            append(&work.join("texts"), b"half a text");
            append(&work.join("places"), b"half a place");
            append(&work.join("journal"), br#"{"runs":["run-0009"#);
            let (report, done) = resume(&output, &sources, how);
            let known: Vec<bool> = (0..sources.len()).map(|source| source < count).collect();
            assert_eq!((report, done), (expected.report.clone(), known), "{count} sources read");
            assert_same(&output, &expected.octets, &format!("{count} sources, {memory}"));
            assert!(!work.exists());
        }
    }
}

fn append(path: &Path, octets: &[u8]) {
    let text = [fs::read(path).unwrap(), octets.to_vec()].concat();
    fs::write(path, text).unwrap();
}

/// Two threads that seal at a time may write their lines in another order than their texts.
#[test]
fn the_order_of_seals_in_the_journal_decides_nothing() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 6, 150);
    let expected = undisturbed(&bench, &sources);
    let how = How { threads: 1, memory: 32 << 10, ..How::default() };
    let output = bench.path("out");
    let work = cut_off(&output, &sources, 4, how);
    let journal = work.join("journal");
    let text = fs::read_to_string(&journal).unwrap();
    let (plan, seals) = text.split_once('\n').unwrap();
    let turned: Vec<&str> = seals.lines().rev().collect();
    assert!(turned.len() == 4 && runs(&work) >= 4, "{text}");
    fs::write(&journal, format!("{plan}\n{}\n", turned.join("\n"))).unwrap();
    let (report, _) = resume(&output, &sources, how);
    assert_eq!(report, expected.report);
    assert_same(&output, &expected.octets, "the last seal first");
}

/// Killed before the plan was written down, there is nothing to take up: it starts anew.
#[test]
fn a_build_that_had_hardly_begun_starts_anew() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 2, 50);
    let expected = undisturbed(&bench, &sources);
    let rests: [&[(&str, &str)]; 4] = [
        &[],
        &[("texts", ""), ("places", "")],
        &[("texts", ""), ("places", ""), ("journal", "")],
        &[("texts", "x"), ("places", "y"), ("journal", r#"{"plan": "0.1"#)],
    ];
    for (number, rests) in rests.into_iter().enumerate() {
        let name = format!("out{number}");
        fs::create_dir(bench.path(&format!("{name}.partial"))).unwrap();
        rests.iter().for_each(|(file, text)| bench.write(&format!("{name}.partial/{file}"), text));
        ends_well(command(&bench, &name, &sources, true));
        assert_same(&bench.path(&name), &expected.octets, &format!("{rests:?}"));
        assert!(!bench.exists(&format!("{name}.partial")));
    }
}

#[test]
fn changed_sources_and_settings_are_refused() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 4, 60);
    let output = bench.path("out");
    cut_off(&output, &sources, 2, How::default());
    let paths: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    let build = |sources: &[String], more: &str| {
        let output = output.to_str().unwrap();
        let words = ["corpus", "build", "-o", output].into_iter().chain(more.split_whitespace());
        let words = words.chain(sources.iter().map(String::as_str));
        bench.run(&words.collect::<Vec<_>>())
    };
    let turned: Vec<String> = paths.iter().rev().cloned().collect();
    let refused = ["out.partial", "other sources or settings", "without --resume"];
    for (sources, more) in [
        (&paths[..3], ""),
        (&turned[..], ""),
        (&paths[..], "--no-bodies"),
        (&paths[..], "--body-limit 100"),
        (&paths[..], "--on-error skip"),
        (&paths[..], "--robots-columns body=text"),
    ] {
        build(sources, &format!("--resume {more}")).ends_with(4).says(&refused);
    }
    let file = fs::read_to_string(&sources[3]).unwrap();
    bench.write("s3.jsonl", format!("{file}{}\n", file.lines().next().unwrap()));
    build(&paths, "--resume").ends_with(4).says(&refused);
    assert!(!output.exists() && runs(&bench.path("out.partial")) > 0);
    // It does as the sentence says.
    build(&paths, "--quiet").ends_with(0);
    assert_same(&output, &undisturbed(&bench, &sources).octets, "anew");
    build(&paths, "--resume").ends_with(4).says(&["is there already"]);
}

#[test]
fn threads_and_memory_may_change_when_it_is_taken_up() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 6, 150);
    let expected = undisturbed(&bench, &sources);
    let output = bench.path("out");
    cut_off(&output, &sources, 3, How { threads: 1, memory: 32 << 10, ..How::default() });
    let words = ["corpus", "build", "--resume", "--threads", "7", "-o", "out"].into_iter();
    let paths: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    let words: Vec<&str> = words.chain(paths.iter().map(String::as_str)).collect();
    // The plan names the output, not the folder it is seen from.
    bench.run(&words).ends_with(0).says(&["taken up again"]);
    assert_same(&output, &expected.octets, "with other threads");
}

/// Two builds of one output would mix their runs.
#[test]
fn while_a_build_is_under_way_no_other_one_touches_its_files() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 3, 50);
    let expected = undisturbed(&bench, &sources);
    let (files, plan) = plan(&bench.path("out"), &sources, How::default());
    let build = FolderBuild::begin(plan, false).unwrap();
    sources::feed(&build, &files, &SourceOptions::default(), &()).unwrap();
    for resume in [false, true] {
        let done = command(&bench, "out", &sources, resume).output().unwrap();
        assert_eq!(done.status.code(), Some(4));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(said.contains("another build of it is under way"), "{said}");
    }
    build.finish().unwrap();
    assert_same(&bench.path("out"), &expected.octets, "in spite of two more");
}

#[test]
fn a_folder_in_the_way_that_no_build_left_is_not_removed() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 1, 20);
    bench.write("out.partial/letter.txt", "dear reader");
    let words = ["corpus", "build", "-o", "out", sources[0].to_str().unwrap()];
    bench.run(&words).ends_with(4).says(&["out.partial", "letter.txt"]);
    assert_eq!(bench.read("out.partial/letter.txt"), b"dear reader");
}

#[test]
fn a_removal_that_was_cut_off_is_finished_by_the_next_build() {
    let bench = Bench::new();
    let (output, left) = (bench.path("out"), bench.path("out.partial"));
    std::fs::create_dir_all(left.join("corpus")).unwrap();
    for name in ["abandoned", "run-000035", "corpus/captures.arrow"] {
        std::fs::write(left.join(name), "left over").unwrap();
    }
    let (_, plan) = made::plan(&output, &[], made::How::default());
    FolderBuild::begin(plan, true).unwrap();
    assert!(!left.join("abandoned").exists() && !left.join("run-000035").exists());
    // Without a journal under either name, nothing says that a build left it.
    let other = bench.path("other.partial");
    std::fs::create_dir_all(other.join("corpus")).unwrap();
    std::fs::write(other.join("corpus/mine.txt"), "mine").unwrap();
    let (_, plan) = made::plan(&bench.path("other"), &[], made::How::default());
    assert!(FolderBuild::begin(plan, true).is_err());
    assert_eq!(std::fs::read(other.join("corpus/mine.txt")).unwrap(), b"mine");
}

/// Killed between its last two steps, a build leaves rests beside the whole corpus. The next one says what is in the way and
/// removes what is of no use, and that alone.
#[test]
fn what_a_build_left_beside_its_corpus_is_removed_and_a_build_that_was_cut_off_is_not() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 3, 50);
    let (output, left) = (bench.path("out"), bench.path("out.partial"));
    let says = |words: &[&str]| {
        for resume in [false, true] {
            let done = command(&bench, "out", &sources, resume).output().unwrap();
            assert_eq!(done.status.code(), Some(4));
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(words.iter().all(|word| said.contains(word)), "{said}");
        }
    };
    cut_off(&output, &sources, 2, How::default());
    ends_well(command(&bench, "whole", &sources, false));
    fs::rename(bench.path("whole"), &output).unwrap();
    let expected = octets(&output);
    says(&[
        "out: is there already, and so is",
        "out.partial, which a build leaves that was cut off",
    ]);
    assert!(runs(&left) > 0, "it may still be wanted");
    // As it is left when its own corpus got its name last.
    append(&left.join("journal"), b"{\"done\":true}\n");
    fs::create_dir(left.join("corpus")).unwrap();
    says(&["and so is"]);
    fs::remove_dir(left.join("corpus")).unwrap();
    says(&["out: is there already; remove it, or name another output"]);
    assert!(!left.exists());
    assert_same(&output, &expected, "the corpus stays");
    // A build that was done is taken up again where its corpus is gone.
    let again = bench.path("again");
    let how = How { threads: 1, memory: 32 << 10, ..How::default() };
    let work = cut_off(&again, &sources, 3, how);
    append(&work.join("journal"), b"{\"done\":true}\n");
    resume(&again, &sources, how);
    assert_same(&again, &expected, "taken up after its end");
}

/// A power cut takes what was not brought to the disk: a run's octets, then its name, then the line that counts on both.
#[test]
fn a_run_is_on_the_disk_with_its_name_before_the_journal_tells_of_it() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 1, 50);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-y", "-s", "4096", "-e", "trace=write,fsync,fdatasync", "-o", "trace"]);
    traced.args([env!("CARGO_BIN_EXE_robosift"), "corpus", "build", "-q", "-o", "out"]);
    let traced = traced.args(&sources).current_dir(bench.path("")).output();
    // Not every system has it, or lets it.
    if !traced.is_ok_and(|traced| traced.status.success()) {
        return println!("not traced");
    }
    let trace = String::from_utf8_lossy(&bench.read("trace")).into_owned();
    let first = |words: [&str; 2]| {
        let found = trace.lines().position(|line| words.iter().all(|word| line.contains(word)));
        found.unwrap_or_else(|| panic!("no {words:?} in {trace}"))
    };
    let octets = first(["fdatasync(", "out.partial/run-000000>"]);
    let told = first(["out.partial/journal>", "run-000000"]);
    let names = trace.lines().enumerate().filter(|(_, line)| {
        line.contains("fsync(") && line.contains("out.partial>") && !line.contains("fdatasync")
    });
    let names: Vec<usize> = names.map(|(at, _)| at).collect();
    assert!(names.iter().any(|name| (octets..told).contains(name)), "{names:?}\n{trace}");
}
