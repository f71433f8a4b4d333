//! The stream when things go wrong: damaged inputs, outputs that cannot be, judges that refuse or panic.
// A test that cannot go on says so by panicking; its numbers are small.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod parquet_files;
mod toy_judge;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use parquet_files::*;
use robosift::stream::{Judge, OnError, Silent, StreamPlan, run};
use robosift::table::{Column, ParquetFile, TableError, guarded};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use toy_judge::*;

fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !guarded() {
                usual(panic);
            }
        }));
    });
}

/// Overwrites the first pages of row group 1 of a plain file.
fn damage(path: &Path) {
    let file = fs::File::open(path).unwrap();
    let footer = parquet::file::metadata::ParquetMetaDataReader::new().parse_and_finish(&file);
    let (start, len) = footer.unwrap().row_group(1).column(0).byte_range();
    let mut octets = fs::read(path).unwrap();
    octets[start as usize..(start + len) as usize].fill(0xA5);
    fs::write(path, octets).unwrap();
}

#[test]
fn a_damaged_row_group_leaves_no_trace_and_the_old_result_intact() {
    quiet();
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out/o.parquet"));
    plain_file(&input, 500, 100);
    let plan = StreamPlan::new(&[&input], &output).unwrap();
    run(&ONCE, &plan, &Silent).unwrap();
    let before = fs::read(&output).unwrap();
    damage(&input);
    for threads in [1, 3] {
        let plan = StreamPlan { threads, ..plan.clone() };
        let error = run(&ONCE, &plan, &Silent).unwrap_err();
        let table = error.table().unwrap();
        assert!(table.is_damaged());
        assert_eq!(table.row_group(), Some(1));
        assert!(error.to_string().contains("in.parquet, row group 1"), "{error}");
        assert_eq!(fs::read(&output).unwrap(), before);
        assert_eq!(listing(output.parent().unwrap()), ["o.parquet"]);
    }
}

#[test]
fn skip_leaves_out_whole_files_and_reports_them() {
    quiet();
    let folder = tempfile::tempdir().unwrap();
    let (inputs, output) = (folder.path().join("in"), folder.path().join("out"));
    for name in ["a", "b", "c", "d"] {
        plain_file(&inputs.join(format!("{name}.parquet")), 500, 50);
    }
    damage(&inputs.join("b.parquet"));
    fs::write(inputs.join("c.parquet"), b"PAR1 nothing more PAR1").unwrap();
    for threads in [1, 2, 5] {
        let mut plan = StreamPlan::new(&[&inputs], &output).unwrap();
        plan.threads = threads;
        plan.on_error = OnError::Skip;
        let report = run(&ONCE, &plan, &Silent).unwrap();
        assert_eq!((report.files, report.rows, report.row_groups), (2, 1000, 20));
        assert_eq!(report.tally.rows, 1000, "rows of a file left out are not counted");
        let skipped: Vec<_> = report.skipped.iter().map(|s| (s.row_group, s.rows)).collect();
        assert_eq!(skipped, [(Some(1), 500), (None, 0)]);
        assert!(report.skipped[0].reason.contains("row group 1"));
        assert_eq!(report.skipped[1].path, inputs.join("c.parquet"));
        assert_eq!(listing(&output), ["a.parquet", "d.parquet"]);
        fs::remove_dir_all(&output).unwrap();
    }
    let plan = StreamPlan::new(&[&inputs], &output).unwrap();
    assert!(run(&ONCE, &plan, &Silent).unwrap_err().table().unwrap().is_damaged());
    assert!(!output.exists(), "c.parquet is found before the first row");
}

#[test]
fn single_octets_changed_give_a_whole_file_or_none() {
    quiet();
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out/o.parquet"));
    fs::create_dir(folder.path().join("out")).unwrap();
    plain_file(&input, 60, 20);
    let whole = fs::read(&input).unwrap();
    let plan = StreamPlan { threads: 1, ..StreamPlan::new(&[&input], &output).unwrap() };
    let mut seed = 77_u64;
    let (mut good, mut bad) = (0, 0);
    for _ in 0..300 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut octets = whole.clone();
        let at = (seed >> 33) as usize % octets.len();
        octets[at] ^= ((seed >> 20) as u8).max(1);
        fs::write(&input, octets).unwrap();
        match run(&ONCE, &plan, &Silent) {
            Ok(report) => {
                good += 1;
                assert_eq!(report.rows, 60);
                assert_eq!(read_back(&output).num_rows(), 60);
                fs::remove_file(&output).unwrap();
            }
            Err(_) => bad += 1,
        }
        assert!(listing(output.parent().unwrap()).is_empty());
    }
    assert!(good > 20 && bad > 50, "{good} {bad}");
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.parquet");
    plain_file(&input, 10, 10);
    let blocked = input.join("below/a/file.parquet");
    let proc = PathBuf::from("/proc/robosift/o.parquet");
    for output in [blocked, proc] {
        let plan = StreamPlan::new(&[&input], &output).unwrap();
        let error = run(&ONCE, &plan, &Silent).unwrap_err();
        assert!(error.is_output(), "{error}");
        assert!(error.to_string().contains(&output.display().to_string()), "{error}");
    }
    let folder_named = folder.path().join("folder.parquet");
    plain_file(&folder.path().join("in/folder.parquet"), 10, 10);
    fs::create_dir(&folder_named).unwrap();
    let plan = StreamPlan::new(&[&folder.path().join("in")], folder.path()).unwrap();
    assert!(run(&ONCE, &plan, &Silent).unwrap_err().is_output());
    assert!(folder_named.is_dir());
}

#[cfg(unix)]
#[test]
fn a_link_as_output_is_replaced_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, 10, 10);
    std::os::unix::fs::symlink("/dev/full", &output).unwrap();
    let plan = StreamPlan::new(&[&input], &output).unwrap();
    run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!(read_back(&output).num_rows(), 10);
    assert!(fs::symlink_metadata(&output).unwrap().is_file());
}

/// Refuses or panics at a row.
struct Moody {
    at: u64,
    panics: bool,
}

impl Judge for Moody {
    type Tally = Counts;
    type Plan = ();
    type State = ();
    type Error = std::io::Error;

    fn schema(&self) -> SchemaRef {
        ONCE.schema()
    }
    fn plan(&self, file: &ParquetFile) -> Result<((), Vec<Column>), Self::Error> {
        ONCE.plan(file).map_err(|error: TableError| std::io::Error::other(error.to_string()))
    }
    fn state(&self) {}
    fn judge(
        &self,
        (): &(),
        (): &mut (),
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Counts,
    ) -> Result<RecordBatch, Self::Error> {
        if (first_row..first_row + num_rows as u64).contains(&self.at) {
            assert!(!self.panics, "the judge panics on purpose");
            return Err(std::io::Error::other("no mood"));
        }
        Ok(ONCE.judge(&(), &mut (), columns, num_rows, first_row, tally).unwrap())
    }
}

#[test]
fn a_judge_that_refuses_or_panics_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out/o.parquet"));
    plain_file(&input, 500, 10);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.threads = 3;
    plan.on_error = OnError::Skip;
    let error = run(&Moody { at: 250, panics: false }, &plan, &Silent).unwrap_err();
    assert_eq!(error.judged().unwrap().to_string(), "no mood");
    assert!(error.to_string().contains("in.parquet"), "{error}");
    assert!(listing(output.parent().unwrap()).is_empty());
    let caught = std::panic::catch_unwind(|| run(&Moody { at: 250, panics: true }, &plan, &Silent));
    assert!(caught.is_err());
    assert!(listing(output.parent().unwrap()).is_empty());
}

fn outputs(plan: &StreamPlan, base: &Path) -> Vec<String> {
    let below = |path: &Path| path.strip_prefix(base).unwrap().display().to_string();
    plan.inputs.iter().map(|input| below(&input.output)).collect()
}

#[test]
fn where_outputs_go() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    for name in [
        "in/b.parquet",
        "in/a.parquet",
        "in/x/c.parquet",
        "in/_d.parquet",
        "in/.h/e.parquet",
        "in/_m/f.parquet",
    ] {
        plain_file(&base.join(name), 1, 1);
    }
    fs::write(base.join("in/notes.txt"), "no").unwrap();
    let new = |inputs: &[&str], output: &str| {
        let inputs: Vec<_> = inputs.iter().map(|input| base.join(input)).collect();
        StreamPlan::new(&inputs, &base.join(output))
    };
    let at = |inputs: &[&str], output: &str| outputs(&new(inputs, output).unwrap(), base);
    assert_eq!(at(&["in/a.parquet"], "o.parquet"), ["o.parquet"]);
    assert_eq!(at(&["in/a.parquet"], "new/"), ["new/a.parquet"]);
    assert_eq!(at(&["in/a.parquet"], "in/x"), ["in/x/a.parquet"]);
    assert_eq!(at(&["in"], "o"), ["o/a.parquet", "o/b.parquet", "o/x/c.parquet"]);
    assert_eq!(at(&["in/*.parquet"], "o"), ["o/a.parquet", "o/b.parquet"]);
    assert_eq!(at(&["in/**/*.parquet"], "o").last().unwrap(), "o/x/c.parquet");
    assert_eq!(at(&["in/x", "in/a.parquet"], "o"), ["o/c.parquet", "o/a.parquet"]);
    assert_eq!(at(&["in"], "in/x"), ["in/x/a.parquet", "in/x/b.parquet"], "the output is no input");

    let refused = |inputs: &[&str], output: &str| {
        let error = new(inputs, output).unwrap_err();
        assert!(error.is_plan());
        error.to_string()
    };
    assert!(refused(&["in/none.parquet"], "o").contains("none.parquet"));
    assert!(refused(&["in/*.csv"], "o").contains("matches no file"));
    assert!(refused(&[], "o").contains("no input given"));
    assert!(refused(&["in", "in"], "in/a.parquet").contains("is a file"));
    assert!(refused(&["in/a.parquet"], "in/a.parquet").contains("is the input"));
    assert!(refused(&["in/a.parquet"], "in/x/../").contains("is the input"));
    assert!(refused(&["in/a.parquet", "in/b.parquet"], "in").contains("is the input"));
    assert!(refused(&["in/a.parquet", "in/*.parquet"], "o").contains("would both be written"));
    fs::create_dir(base.join("empty")).unwrap();
    assert!(refused(&["empty"], "o").contains("no *.parquet file below it"));
}
