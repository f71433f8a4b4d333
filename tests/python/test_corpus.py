"""A built corpus as pyarrow and DuckDB read it: tables of a folder, exported tables, and the join of verdicts with rules.

Builds nothing: ROBOSIFT_BIN names the binary (scripts/test sets it). Makes a corpus of data/demo once.
"""

import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "data" / "demo" / "robots.jsonl"
ROWS = ROOT / "data" / "demo" / "rows.parquet"
EXPECTED = ROOT / "tests" / "data" / "demo_expected.parquet"
TIME = pa.timestamp("us", tz="UTC")


def captures(place: str) -> dict:
    return {
        place: pa.int32(), "time": TIME, "status": pa.int16(), "body": pa.int32(), "flags": pa.int16(),
        "redirect": pa.large_string(), "content_type": pa.large_string(), "source": pa.int32(), "offset": pa.int64(),
    }


def places(name: str) -> dict:
    return {name: pa.large_string(), "first_capture": pa.int64(), "num_captures": pa.int32()}


TABLES = {
    "origins.arrow": places("origin"),
    "captures.arrow": captures("origin"),
    "targets.arrow": places("url"),
    "target_captures.arrow": captures("target"),
    "index.arrow": {"slot": pa.uint64()},
    "programs.arrow": {
        "digest": pa.binary(32), "length": pa.int64(), "num_origins": pa.int32(),
        "rfc9309": pa.large_binary(), "google": pa.large_binary(),
    },
    "texts.arrow": {"text_zstd": pa.large_binary()},
    "sources.arrow": {"source": pa.large_string()},
}


def robosift(*arguments) -> str:
    """Runs the binary; its own words are shown when it fails."""
    command = [pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def first_row(query: str) -> tuple:
    """The only row of an answer."""
    (row,) = duckdb.sql(query).fetchall()
    return row


class Demo(unittest.TestCase):
    """The demo as a corpus, with what is exported of it and the verdicts for GPTBot."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.corpus = cls.folder / "demo.corpus"
        robosift("corpus", "build", ROBOTS, "-o", cls.corpus, "--quiet")
        cls.info = json.loads(robosift("corpus", "info", cls.corpus, "--json"))
        cls.manifest = json.loads((cls.corpus / "manifest.json").read_text())["manifest"]
        cls.verdicts = cls.folder / "verdicts.parquet"
        robosift("eval", "--corpus", cls.corpus, "--agent", "GPTBot", "--as-of", "latest", ROWS, "-o", cls.verdicts, "--quiet")

    def export(self, what: str) -> pathlib.Path:
        path = self.folder / f"{what}.parquet"
        robosift("corpus", what, self.corpus, "-o", path, "--quiet")
        return path

    def table(self, name: str) -> pa.Table:
        source = pa.memory_map(str(self.corpus / name))
        self.addCleanup(source.close)
        return pa.ipc.open_file(source).read_all()


class Tables(Demo):
    """The Arrow files of the folder."""

    def test_every_arrow_file_is_valid_and_of_the_types_and_rows_told(self):
        arrow_files = {path.name for path in self.corpus.glob("*.arrow")}
        self.assertEqual(arrow_files, set(TABLES))
        for name, columns in TABLES.items():
            with self.subTest(name):
                table = self.table(name)
                table.validate(full=True)
                self.assertEqual(dict(zip(table.schema.names, table.schema.types)), columns)
                self.assertEqual(table.num_rows, self.manifest["files"][name]["num_rows"])
                self.assertEqual(pathlib.Path(self.corpus / name).stat().st_size, self.info["files"][name])

    def test_opening_copies_nothing(self):
        before = pa.total_allocated_bytes()
        tables = [self.table(name) for name in TABLES]
        self.assertGreater(sum(table.num_rows for table in tables), 100)
        self.assertEqual(pa.total_allocated_bytes(), before)

    def test_captures_stand_by_place_and_time(self):
        for places_name, captures_name in (("origins.arrow", "captures.arrow"), ("targets.arrow", "target_captures.arrow")):
            places_of, captures_of = self.table(places_name).to_pylist(), self.table(captures_name).to_pylist()
            end = 0
            for number, place in enumerate(places_of):
                self.assertEqual(place["first_capture"], end)
                self.assertGreater(place["num_captures"], 0)
                own = captures_of[end : end + place["num_captures"]]
                self.assertEqual({next(iter(capture.values())) for capture in own}, {number})
                times = [(capture["time"] is not None, capture["time"] and capture["time"].timestamp()) for capture in own]
                self.assertEqual(times, sorted(times))
                end += place["num_captures"]
            self.assertEqual(end, len(captures_of))

    def test_every_origin_has_one_slot_of_the_index(self):
        slots = self.table("index.arrow")["slot"].to_pylist()
        numbers = sorted((slot & 0xFFFFFFFF) - 1 for slot in slots if slot)
        self.assertEqual(numbers, list(range(self.table("origins.arrow").num_rows)))

    def test_texts_are_zstd_frames_with_the_digests_and_lengths_of_bodies(self):
        bodies = self.table("programs.arrow").to_pylist()
        texts = self.table("texts.arrow")["text_zstd"].to_pylist()
        self.assertEqual(len(texts), len(bodies))
        for body, frame in zip(bodies, texts, strict=True):
            text = pa.Codec("zstd").decompress(frame, body["length"]) if body["length"] else b""
            self.assertEqual(hashlib.sha256(text).digest(), body["digest"])

    def test_bodies_are_numbered_in_the_order_of_origins(self):
        seen = [body for body in self.table("captures.arrow")["body"].to_pylist() if body is not None]
        firsts = list(dict.fromkeys(seen))
        self.assertEqual(firsts, sorted(firsts))
        of_targets = [body for body in self.table("target_captures.arrow")["body"].to_pylist() if body is not None]
        self.assertEqual(set(seen) | set(of_targets), set(range(self.table("programs.arrow").num_rows)))


class Exports(Demo):
    """Rules, captures and records for SQL."""

    def test_the_rules_exported_are_those_of_the_folder(self):
        self.assertEqual(self.export("rules").read_bytes(), (self.corpus / "rules.parquet").read_bytes())

    def test_captures_are_as_many_as_info_counts(self):
        path = self.export("captures")
        rows, urls, bodies = first_row(
            f"SELECT count(*), count(DISTINCT url), count(DISTINCT body_id) FROM '{path}'"
        )
        self.assertEqual(rows, self.info["captures"])
        self.assertEqual(urls, self.table("origins.arrow").num_rows + self.table("targets.arrow").num_rows)
        self.assertEqual(bodies, self.info["bodies"])
        lines = [json.loads(line) for line in ROBOTS.read_text().splitlines()]
        self.assertEqual(rows, len(lines) - self.info["captures_without_place"])
        statuses = duckdb.sql(f"SELECT status, count(*) FROM '{path}' GROUP BY ALL").fetchall()
        self.assertEqual(dict(statuses), dict(collections.Counter(line.get("status") for line in lines)))

    def test_digests_join_captures_rules_and_records(self):
        captures_of, rules, records = self.export("captures"), self.export("rules"), self.export("records")
        for other in (rules, records):
            known = f"SELECT digest FROM '{captures_of}' WHERE digest IS NOT NULL"
            strays, rows = first_row(f"SELECT count(*) FILTER (digest NOT IN ({known})), count(*) FROM '{other}'")
            self.assertEqual(strays, 0)
            self.assertGreater(rows, 5)
        # A body's origins are those whose own captures serve it, not those that a redirect leads to it.
        counted = first_row(f"""
            SELECT count(*) FROM (SELECT DISTINCT digest, num_origins FROM '{rules}') JOIN (
                SELECT digest, count(DISTINCT url) AS served FROM '{captures_of}' WHERE url LIKE '%/robots.txt' GROUP BY ALL
            ) USING (digest) WHERE num_origins <> served""")
        self.assertEqual(counted, (0,))

    def test_rule_ids_are_unique_and_made_of_body_and_line(self):
        rules = self.export("rules")
        query = f"""
            SELECT count(*), count(DISTINCT rule_id), bool_and(rule_id & 4294967295 = line),
                   bool_and(kind IN ('allow', 'disallow')), count(DISTINCT (rule_id >> 32, digest)) = count(DISTINCT digest)
            FROM '{rules}'"""
        rows, distinct, *holds = first_row(query)
        self.assertEqual(rows, distinct)
        self.assertEqual(holds, [True, True, True])
        self.assertEqual(rows, pq.read_metadata(rules).num_rows)

    def test_sitemaps_are_those_that_a_search_finds(self):
        records = self.export("records")
        found = first_row(f"SELECT count(*) FROM '{records}' WHERE key = 'sitemap'")[0]
        bodies = {line["body"] for line in map(json.loads, ROBOTS.read_text().splitlines())
                  if line.get("body") and line.get("status") in (None, 200)}
        expected = sum(len(re.findall(r"^[ \t]*sitemap[ \t]*:", body, re.I | re.M)) for body in bodies)
        self.assertEqual(found, expected)


class RefusedByRule(Demo):
    """The question "how many rows does which line of which file refuse?"."""

    maxDiff = None

    def test_the_join_finds_the_rule_of_every_row_that_one_decided(self):
        query = f"""
            SELECT count(*), count(rules.rule_id), bool_and((kind = 'allow') = robots_allowed)
            FROM '{self.verdicts}' LEFT JOIN '{self.export("rules")}' AS rules ON robots_rule_id = rules.rule_id
            WHERE robots_basis = 'rule'"""
        decided, joined, agree = first_row(query)
        expected = pq.read_table(EXPECTED)["gptbot_basis"].to_pylist().count("rule")
        self.assertEqual((decided, joined, agree), (expected, expected, True))

    def test_rows_refused_by_rule_text_are_those_expected(self):
        query = f"""
            SELECT kind, pattern, count(*)
            FROM '{self.verdicts}' JOIN '{self.export("rules")}' AS rules ON robots_rule_id = rules.rule_id
            WHERE robots_allowed = false GROUP BY ALL"""
        found = {(kind, pattern): rows for kind, pattern, rows in duckdb.sql(query).fetchall()}
        self.assertEqual(found, self.expected_by_text())

    def expected_by_text(self) -> dict:
        """From the lines that the expectations name, looked up in the bodies of the demo's own source."""
        captures_of = duckdb.sql(f"SELECT url, fetch_time, body_id, digest FROM '{self.export('captures')}'").fetchall()
        by_digest = {}
        for line in map(json.loads, ROBOTS.read_text().splitlines()):
            if line.get("body") is not None:
                by_digest[hashlib.sha256(line["body"].encode()).hexdigest()] = line["body"]
        by_number = {body: by_digest[digest] for _, _, body, digest in captures_of if digest is not None}
        ids = pq.read_table(self.verdicts)["robots_rule_id"].to_pylist()
        counted = collections.Counter()
        for rule_id, row in zip(ids, pq.read_table(EXPECTED).to_pylist(), strict=True):
            if row["gptbot_basis"] == "rule" and row["gptbot_allowed"] is False:
                lines = re.split("\r\n|\r|\n", by_number[rule_id >> 32])
                text = lines[row["gptbot_rule_line"] - 1].split("#")[0]
                counted["disallow", re.split(r"\s*:\s*|\s+", text.strip(), maxsplit=1)[1].strip()] += 1
        return dict(counted)


if __name__ == "__main__":
    unittest.main()
