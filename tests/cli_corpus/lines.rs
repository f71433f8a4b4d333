//! Robots tables as JSON lines: columns that no line has, numbers as some writers give them.

use crate::cli::Bench;

const EVAL: &str = "--corpus robots.jsonl --agent x rows.parquet";

fn bench(lines: &str) -> Bench {
    let bench = Bench::new();
    bench.write("robots.jsonl", lines.as_bytes());
    bench.urls("rows.parquet", &["https://a.example/x"]);
    bench
}

#[test]
fn a_table_without_bodies_is_refused_and_one_of_null_bodies_is_not() {
    let run = bench("{\"origin\":\"https://a.example\",\"status\":200,\"content\":\"\"}\n")
        .eval(&format!("{EVAL} -o v.parquet"));
    run.ends_with(4).says(&["no line has `body`"]);
    let table = bench("{\"origin\":\"https://a.example\",\"body\":null}\n").verdicts(EVAL);
    assert_eq!(table.bases(), ["no_capture"]);
}

#[test]
fn a_mapped_name_that_no_line_has_is_refused() {
    let run = bench("{\"origin\":\"https://a.example\",\"body\":\"\"}\n")
        .eval(&format!("{EVAL} -o v.parquet --robots-columns body=contents"));
    run.ends_with(4).says(&["no line has `contents`"]);
}

#[test]
fn whole_numbers_may_come_as_fractions_and_nothing_else() {
    let line = |status: &str| {
        format!("{{\"origin\":\"https://a.example\",\"body\":\"\",\"status\":{status}}}\n")
    };
    assert_eq!(bench(&line("404.0")).verdicts(EVAL).bases(), ["unavailable"]);
    let run = bench(&line("404.5")).eval(&format!("{EVAL} -o v.parquet"));
    run.ends_with(4).says(&["line 1"]);
}
