//! A stream that goes on where an earlier one was cut off: what stays, what is made anew, what is refused, what is swept away.
// A test that cannot go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod parquet_files;
mod toy_judge;

use parquet_files::*;
use robosift::stream::{Keep, Report, Silent, StreamPlan, run, survey};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use toy_judge::*;

/// Inputs a, b and c of 100, 200 and 300 rows, judged once.
struct Bench {
    folder: TempDir,
    plan: StreamPlan,
    /// The outputs of an undisturbed run, in order.
    whole: Vec<Vec<u8>>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = folder.path().join("in");
        for (name, rows) in [("a", 100), ("b", 200), ("c", 300)] {
            plain_file(&inputs.join(format!("{name}.parquet")), rows, 70);
        }
        let plan = StreamPlan::new(&[&inputs], &folder.path().join("out")).unwrap();
        let key_values = vec![("tool".into(), "toy".into()), ("corpus".into(), "c0ffee".into())];
        let plan = StreamPlan { key_values, threads: 2, ..plan };
        let report = run(&ONCE, &plan, &Silent).unwrap();
        assert_eq!(counts(&report), (3, 600, 0, 0), "without resume everything is written");
        let whole = plan.inputs.iter().map(|input| fs::read(&input.output).unwrap()).collect();
        Bench { folder, plan: StreamPlan { resume: true, ..plan }, whole }
    }

    fn output(&self, at: usize) -> &Path {
        &self.plan.inputs[at].output
    }

    fn input(&self, at: usize) -> &Path {
        &self.plan.inputs[at].path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn resume(&self) -> Report<Counts> {
        run(&ONCE, &self.plan, &Silent).unwrap()
    }

    /// All outputs are as after an undisturbed run, and nothing stands beside them.
    #[track_caller]
    fn assert_whole(&self) {
        for (at, whole) in self.whole.iter().enumerate() {
            assert!(fs::read(self.output(at)).unwrap() == *whole, "output {at}");
        }
        assert_eq!(listing(&self.path("out")), ["a.parquet", "b.parquet", "c.parquet"]);
    }
}

/// Files and rows written, files and rows kept.
fn counts(report: &Report<Counts>) -> (u64, u64, u64, u64) {
    assert_eq!(report.tally.rows, report.rows, "the tally is of the rows of this run");
    (report.files, report.rows, report.kept_files, report.kept_rows)
}

#[test]
fn whole_outputs_stay_and_the_others_are_made() {
    let bench = Bench::new();
    let before = fs::metadata(bench.output(0)).unwrap().modified().unwrap();
    fs::remove_file(bench.output(1)).unwrap();
    let surveys = survey(&ONCE, &bench.plan).unwrap();
    let told: Vec<_> = surveys.iter().map(|survey| (survey.kept, survey.rows)).collect();
    assert_eq!(told, [(true, 100), (false, 200), (true, 300)]);
    assert_eq!(counts(&bench.resume()), (1, 200, 2, 400));
    assert_eq!(fs::metadata(bench.output(0)).unwrap().modified().unwrap(), before);
    bench.assert_whole();
    assert_eq!(counts(&bench.resume()), (0, 0, 3, 600), "nothing is left to do");
    bench.assert_whole();
    fs::remove_dir_all(bench.path("out")).unwrap();
    assert_eq!(counts(&bench.resume()), (3, 600, 0, 0), "nothing was done before");
    bench.assert_whole();
    let plan = StreamPlan { resume: false, ..bench.plan.clone() };
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (3, 600, 0, 0));
}

#[test]
fn what_is_no_whole_output_of_this_input_is_made_anew() {
    type Change = fn(&Bench);
    let cases: [(&str, Change); 6] = [
        ("cut", |b| fs::write(b.output(1), &b.whole[1][..b.whole[1].len() / 2]).unwrap()),
        ("empty", |b| fs::write(b.output(1), b"").unwrap()),
        ("no Parquet", |b| fs::write(b.output(1), b"PAR1 but not really PAR1").unwrap()),
        ("of other rows", |b| fs::write(b.output(1), &b.whole[0]).unwrap()),
        ("the input was written to since", |b| {
            let later = SystemTime::now() + Duration::from_secs(60);
            File::options().write(true).open(b.input(1)).unwrap().set_modified(later).unwrap();
        }),
        ("of other row groups", |b| {
            let other = b.path("other/b.parquet");
            plain_file(&other, 200, 50);
            let plan = StreamPlan::new(&[&other], b.output(1)).unwrap();
            let plan = StreamPlan { key_values: b.plan.key_values.clone(), ..plan };
            run(&ONCE, &plan, &Silent).unwrap();
            assert!(fs::read(b.output(1)).unwrap() != b.whole[1]);
        }),
    ];
    for (name, change) in cases {
        let bench = Bench::new();
        change(&bench);
        assert_eq!(counts(&bench.resume()), (1, 200, 2, 400), "{name}");
        bench.assert_whole();
    }
}

#[test]
fn other_columns_are_made_anew_and_several_answers_a_row_stay() {
    let bench = Bench::new();
    let plan = StreamPlan { keep: Keep::All, ..bench.plan.clone() };
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (3, 600, 0, 0));
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (0, 0, 3, 600));
    let thrice = Lengths { times: 3, ..ONCE };
    fs::remove_dir_all(bench.path("out")).unwrap();
    run(&thrice, &bench.plan, &Silent).unwrap();
    assert_eq!(counts(&run(&thrice, &bench.plan, &Silent).unwrap()), (0, 0, 3, 600));
}

#[test]
fn inputs_without_rows_stay_too() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, 0, 10);
    let plan = StreamPlan::new(&[&input], &output).unwrap();
    let plan = StreamPlan { resume: true, ..plan };
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (1, 0, 0, 0));
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (0, 0, 1, 0));
}

#[test]
fn an_output_of_another_run_stops_the_stream_before_anything_is_done() {
    let bench = Bench::new();
    fs::remove_file(bench.output(0)).unwrap();
    let other = vec![("tool".into(), "toy".into()), ("corpus".into(), "decaf".into())];
    let plan = StreamPlan { key_values: other, ..bench.plan.clone() };
    let error = run(&ONCE, &plan, &Silent).unwrap_err();
    assert!(error.is_plan(), "{error}");
    for word in ["b.parquet", "corpus", "c0ffee", "decaf", "--resume"] {
        assert!(error.to_string().contains(word), "`{word}` is not in {error}");
    }
    plain_file(bench.output(0), 100, 70);
    let error = run(&ONCE, &bench.plan, &Silent).unwrap_err();
    assert!(error.to_string().contains("it has no tool"), "{error}");
    fs::remove_file(bench.output(0)).unwrap();
    assert_eq!(listing(&bench.path("out")), ["b.parquet", "c.parquet"]);
    assert!(fs::read(bench.output(1)).unwrap() == bench.whole[1]);
    let plan = StreamPlan { resume: false, ..plan };
    assert_eq!(counts(&run(&ONCE, &plan, &Silent).unwrap()), (3, 600, 0, 0), "anew it may be");
}

#[test]
fn temporary_files_of_killed_runs_are_swept_away() {
    let bench = Bench::new();
    let put = |name: &str| fs::write(bench.path("out").join(name), b"PAR1").unwrap();
    for name in [".a.parquet.4711-0.part", ".c.parquet.1-99.part"] {
        put(name);
    }
    let stays = [
        ".a.parquet.4711-0.part.bak",
        ".a.parquet.47x-0.part",
        ".a.parquet.part",
        ".d.parquet.4711-0.part",
        "a.parquet.4711-0.part",
    ];
    stays.iter().for_each(|name| put(name));
    put(".b.parquet.4711-7.part");
    let writing = File::open(bench.path("out/.b.parquet.4711-7.part")).unwrap();
    writing.try_lock().unwrap();
    let outputs = ["a.parquet", "b.parquet", "c.parquet"];
    let expected = |more: &[&'static str]| {
        let mut names = [&stays, &outputs[..], more].concat();
        names.sort_unstable();
        names
    };
    assert_eq!(counts(&bench.resume()), (0, 0, 3, 600));
    let in_use = [".b.parquet.4711-7.part"];
    assert_eq!(listing(&bench.path("out")), expected(&in_use), "what someone writes stays");
    drop(writing);
    let plan = StreamPlan { resume: false, ..bench.plan.clone() };
    run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!(listing(&bench.path("out")), expected(&[]));
}
