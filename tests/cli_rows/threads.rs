//! Row N of the output belongs to row N of the input, and threads change no octet.

use crate::cli::Bench;

const FIXED: &str = "--corpus w/robots.parquet --agent GPTBot,CCBot";

fn workload(bench: &Bench, folder: &str, row_group_rows: &str) {
    let words =
        ["workload", "--rows", "200k", "--row-group-rows", row_group_rows, "--quiet", "-o", folder];
    bench.run(&words).ends_with(0);
}

#[test]
fn threads_change_no_octet_with_one_and_with_many_row_groups() {
    let bench = Bench::new();
    workload(&bench, "w", "1m");
    workload(&bench, "many", "5k");
    let mut verdicts = Vec::new();
    for (rows, groups) in [("w/rows/part-00000.parquet", 1), ("many/rows/part-00000.parquet", 40)] {
        let outputs: Vec<Vec<u8>> = [1, 2, 7]
            .iter()
            .map(|threads| {
                let name = format!("{groups}-{threads}.parquet");
                bench.eval(&format!("{FIXED} --threads {threads} {rows} -o {name}")).ends_with(0);
                bench.read(&name)
            })
            .collect();
        assert!(outputs[1] == outputs[0] && outputs[2] == outputs[0], "{rows}");
        let table = bench.table(&format!("{groups}-1.parquet"));
        assert_eq!((table.num_rows(), table.row_groups.len()), (200_000, groups));
        verdicts.push(table.batch.columns().to_vec());
    }
    assert!(verdicts[0] == verdicts[1], "row groups decide verdicts");
}

#[test]
fn small_memory_changes_no_verdict_and_keeps_rows_in_place() {
    let bench = Bench::new();
    workload(&bench, "w", "1m");
    let rows = "w/rows/part-00000.parquet";
    let fixed = format!("{FIXED} --columns full --keep all --threads 2 {rows}");
    bench.eval(&format!("{fixed} -o large.parquet")).ends_with(0);
    bench.eval(&format!("{fixed} --memory 1MiB -o small.parquet")).ends_with(0);
    let (large, small) = (bench.table("large.parquet"), bench.table("small.parquet"));
    assert!(large.batch.columns() == small.batch.columns());
    let input = bench.table(rows);
    for name in ["url", "agent", "fetch_time"] {
        assert!(small.batch.column_by_name(name) == input.batch.column_by_name(name), "{name}");
    }
    let positions: Vec<_> = (0..200_000).map(Some).collect();
    assert_eq!(small.ints("robots_row"), positions);
    // What a row is told about its origin is about its own URL.
    let (urls, origins) = (small.texts("url"), small.texts("robots_origin"));
    let pairs = urls
        .iter()
        .zip(&origins)
        .filter_map(|(url, origin)| Some((url.as_deref()?, origin.as_deref()?)));
    let plain = pairs.filter(|(url, _)| url.starts_with("https://") && url.is_ascii());
    let mut count = 0;
    for (url, origin) in plain.filter(|(url, _)| !url.contains(['%', '@']) && !url.contains(":443"))
    {
        let head = url
            .split(['/', '?', '#', ';'])
            .nth(2)
            .unwrap()
            .trim_end_matches('.')
            .to_ascii_lowercase();
        assert_eq!(origin.strip_prefix("https://"), Some(head.as_str()), "{url}");
        count += 1;
    }
    assert!(count > 100_000, "{count}");
}
