//! Where outputs go: files, folders that mirror the inputs, globs; never over an input.

use crate::cli::Bench;
use crate::{FIXED, bench};

fn three(bench: &Bench) {
    bench.urls("rows/a.parquet", &["https://a.example/x"]);
    bench.urls("rows/sub/b.parquet", &["https://a.example/y", "https://a.example/x"]);
    bench.urls("rows/sub/deep/c.parquet", &["?"]);
    bench.write("rows/README.txt", "not a table");
}

#[test]
fn a_folder_is_mirrored() {
    let bench = bench();
    three(&bench);
    let run = bench.eval(&format!("{FIXED} rows --json -o out")).ends_with(0);
    assert_eq!(bench.listing("out"), ["a.parquet", "sub/b.parquet", "sub/deep/c.parquet"]);
    assert_eq!(bench.table("out/a.parquet").bases(), ["rule"]);
    assert_eq!(bench.table("out/sub/b.parquet").bases(), ["no_rule", "rule"]);
    assert_eq!(bench.table("out/sub/deep/c.parquet").bases(), ["bad_url"]);
    let json = run.json();
    assert_eq!((json["files"].as_u64(), json["rows"].as_u64()), (Some(3), Some(4)));
}

#[test]
fn a_glob_in_quotes_takes_what_it_matches() {
    let bench = bench();
    three(&bench);
    bench.eval(&format!("{FIXED} rows/sub/*.parquet rows/a.parquet -o out")).ends_with(0);
    let names = bench.listing("out");
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("b.parquet")), "{names:?}");
    bench.eval(&format!("{FIXED} rows/**/*.parquet -o all")).ends_with(0);
    assert_eq!(bench.listing("all").len(), 3);
    let run = bench.eval(&format!("{FIXED} rows/*.nothing -o none"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["rows/*.nothing"]);
    assert!(!bench.exists("none"));
}

#[test]
fn one_input_gives_one_file_and_folders_are_made() {
    let bench = bench();
    three(&bench);
    bench.eval(&format!("{FIXED} rows/a.parquet -o new/er/out.parquet")).ends_with(0);
    assert_eq!(bench.table("new/er/out.parquet").bases(), ["rule"]);
}

#[test]
fn inputs_of_one_name_do_not_write_over_each_other() {
    let bench = bench();
    bench.urls("one/p.parquet", &["https://a.example/x"]);
    bench.urls("two/p.parquet", &["https://a.example/y"]);
    let run = bench.eval(&format!("{FIXED} one/p.parquet two/p.parquet -o out"));
    if run.code == 0 {
        assert_eq!(bench.listing("out").len(), 2);
    } else {
        run.ends_with(2).says(&["p.parquet"]);
        assert!(!bench.exists("out"));
    }
    let run = bench.eval(&format!("{FIXED} one two -o out"));
    if run.code == 0 {
        assert_eq!(bench.listing("out").len(), 2);
    } else {
        run.ends_with(2).says(&["p.parquet"]);
        assert!(!bench.exists("out"));
    }
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let bench = bench();
    three(&bench);
    std::os::unix::fs::symlink(bench.path("rows/a.parquet"), bench.path("link.parquet")).unwrap();
    std::os::unix::fs::symlink(bench.path("rows"), bench.path("linked")).unwrap();
    let before: Vec<Vec<u8>> =
        ["rows/a.parquet", "rows/sub/b.parquet"].map(|name| bench.read(name)).into();
    let wrong = [
        "rows/a.parquet -o rows/a.parquet",
        "rows/a.parquet -o ./rows/../rows/a.parquet",
        "rows/a.parquet -o linked/a.parquet",
        "link.parquet -o rows/a.parquet",
        "rows -o rows",
        "rows -o linked",
    ];
    for arguments in wrong {
        let run = bench.eval(&format!("{FIXED} {arguments}"));
        assert_eq!(run.code, 2, "{arguments}: {run:?}");
        let after = ["rows/a.parquet", "rows/sub/b.parquet"].map(|name| bench.read(name));
        assert_eq!(after.to_vec(), before, "{arguments}");
    }
}

#[test]
fn an_output_that_is_the_corpus_is_refused() {
    let bench = bench();
    three(&bench);
    let before = bench.read("robots.parquet");
    let run = bench.eval(&format!("{FIXED} rows/a.parquet -o robots.parquet"));
    assert!(bench.read("robots.parquet") == before, "the corpus is overwritten");
    assert_eq!(run.code, 2, "{run:?}");
    // A folder of bodies: a verdict file in it would be read as a body by the next run.
    bench.write("sites/a.example", "User-agent: *\nDisallow: /x\n");
    let fixed = "--corpus sites --agent GPTBot rows/a.parquet";
    bench.eval(&format!("{fixed} -o sites/out.parquet")).ends_with(2).says(&["sites/out.parquet"]);
    assert_eq!(bench.listing("sites"), ["a.example"]);
    bench.eval(&format!("{fixed} -o out.parquet")).ends_with(0);
}
