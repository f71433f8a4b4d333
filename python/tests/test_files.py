"""Parquet in, Parquet out: the files are those that `robosift eval` writes."""

import pathlib
import shutil
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

import robosift

from support import ROWS, Demo, folder_for, robosift_bin

#: Arguments of eval_files beside the flags that mean the same.
SAME = [
    ({"agents": "GPTBot"}, "--agent GPTBot"),
    ({"agents": ["GPTBot", "CCBot"], "columns": "full", "keep": "all"}, "--agent GPTBot,CCBot --columns full --keep all"),
    (
        {"agents": "@odyssey-2025", "layout": "long", "columns": ["row", "agent", "allowed"]},
        "--agent @odyssey-2025 --layout long --columns row,agent,allowed",
    ),
    ({"agent_column": "agent", "keep": ["url", "dump"]}, "--agent-column agent --keep url,dump"),
    (
        {"agents": "GPTBot", "dialect": "google", "policy": "google", "suffix": "always"},
        "--agent GPTBot --dialect google --policy google --suffix always",
    ),
    (
        {"agents": "GPTBot", "policy": "closed", "status": ["429=allow", "5xx=unknown"], "stale": "30d"},
        "--agent GPTBot --policy closed --status 429=allow --status 5xx=unknown --stale 30d",
    ),
    (
        {"agents": "GPTBot", "as_of": "2026-09-01", "capture_window": "300d", "columns": "full"},
        "--agent GPTBot --as-of 2026-09-01 --capture-window 300d --columns full",
    ),
    (
        {"agents": "GPTBot", "as_of": "ever", "scope": "host", "no_capture": "disallow"},
        "--agent GPTBot --as-of ever --scope host --no-capture disallow",
    ),
    ({"agents": "Googlebot-News", "fallback": "documented", "nearest": True}, "--agent Googlebot-News --fallback documented --nearest"),
    (
        {"agents": "GPTBot", "compression": "snappy", "memory": "64MiB", "threads": 1},
        "--agent GPTBot --compression snappy --memory 64MiB --threads 1",
    ),
]
#: Options of eval_files that evaluate has not.
OF_FILES = {"compression", "memory"}


class SameFiles(Demo):
    def setUp(self):
        self.out = folder_for(self)

    def told(self, path: pathlib.Path) -> dict:
        """What a file says of itself, but for the command that made it."""
        return {key: value for key, value in pq.read_schema(path).metadata.items() if key not in (b"robosift.command", b"ARROW:schema")}

    def test_files_are_those_of_the_binary(self):
        for number, (options, flags) in enumerate(SAME):
            with self.subTest(options):
                ours, theirs = self.out / f"{number}.parquet", self.out / f"{number}_binary.parquet"
                counts = robosift.eval_files(ROWS, ours, corpus=self.corpus, **options)
                robosift_bin("eval", "--corpus", self.corpus.path, *flags.split(), ROWS, "-o", theirs, "--quiet")
                self.assertEqual(pq.read_table(ours), pq.read_table(theirs))
                self.assertEqual(self.told(ours), self.told(theirs))
                one, other = pq.read_metadata(ours), pq.read_metadata(theirs)
                self.assertEqual(one.num_row_groups, other.num_row_groups)
                self.assertEqual(one.row_group(0).column(0).compression, other.row_group(0).column(0).compression)
                self.assertEqual((counts["rows"], counts["files"], counts["row_groups"], counts["skipped"]), (2000, 1, 4, []))

    def test_files_hold_what_evaluate_gives(self):
        for number, (options, _) in enumerate(SAME):
            with self.subTest(options):
                path = self.out / f"{number}.parquet"
                robosift.eval_files(ROWS, path, corpus=self.corpus, **options)
                asked = {name: value for name, value in options.items() if name not in OF_FILES}
                self.assertEqual(pq.read_table(path), self.corpus.evaluate(self.rows, **asked))

    def test_folders_are_mirrored(self):
        inputs = self.out / "in"
        (inputs / "crawl=1").mkdir(parents=True)
        shutil.copy(ROWS, inputs / "a.parquet")
        pq.write_table(self.rows.slice(100, 50), inputs / "crawl=1" / "b.parquet")
        counts = robosift.eval_files([inputs], self.out / "verdicts", corpus=self.corpus.path, agents="GPTBot")
        self.assertEqual((counts["rows"], counts["files"]), (2050, 2))
        whole = pq.read_table(self.out / "verdicts" / "a.parquet")
        self.assertEqual(pq.read_table(self.out / "verdicts" / "crawl=1" / "b.parquet", partitioning=None), whole.slice(100, 50))

        again = robosift.eval_files([inputs], self.out / "verdicts", corpus=self.corpus.path, agents="GPTBot", resume=True)
        self.assertEqual((again["kept_files"], again["kept_rows"]), (2, 2050))

    def test_counts_are_numbers(self):
        counts = robosift.eval_files(str(ROWS), str(self.out / "v.parquet"), corpus=self.corpus, agents="GPTBot")
        self.assertGreater(counts["octets_read"], 1000)
        self.assertEqual(set(counts), {"rows", "files", "row_groups", "octets_read", "octets_written", "kept_files", "kept_rows", "skipped"})

    def test_structs_and_dictionaries_in_files(self):
        path = self.out / "nested.parquet"
        urls = self.rows["url"].combine_chunks()
        nested = pa.table({"metadata": pa.StructArray.from_arrays([urls], ["url"]), "date": self.rows["fetch_time"]})
        pq.write_table(nested, path)
        robosift.eval_files(path, self.out / "v.parquet", corpus=self.corpus, agents="GPTBot", url="metadata.url")
        self.assertEqual(pq.read_table(self.out / "v.parquet"), self.corpus.evaluate(self.rows, agents="GPTBot"))

    def test_builds_are_those_of_the_binary(self):
        theirs = self.out / "binary.corpus"
        robosift_bin("corpus", "build", ROWS.parent / "robots.jsonl", "-o", theirs, "--quiet")
        ours = pathlib.Path(self.corpus.path)
        names = sorted(path.name for path in theirs.iterdir())
        self.assertEqual(sorted(path.name for path in ours.iterdir()), names)
        for name in names:
            # The manifest names the sources as they were given.
            if name not in ("manifest.json", "sources.arrow", "sources.arrow.sums"):
                self.assertEqual((ours / name).read_bytes(), (theirs / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
