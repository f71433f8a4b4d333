"""The file of `compare` as pyarrow and DuckDB read it: column types, and counts equal to those of its summary.

Builds nothing: ROBOSIFT_BIN names the binary (scripts/test sets it).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
SIDE = {
    "robots_allowed": pa.bool_(),
    "robots_basis": pa.string(),
    "robots_rule_id": pa.int64(),
    "robots_group": pa.string(),
    "robots_digest": pa.string(),
}
COLUMNS = {
    "robots_file": pa.string(),
    "robots_row": pa.int64(),
    "robots_url": pa.string(),
    "robots_agent": pa.string(),
    "robots_difference": pa.string(),
    "robots_clause": pa.string(),
    **{f"{name}_left": kind for name, kind in SIDE.items()},
    **{f"{name}_right": kind for name, kind in SIDE.items()},
}


class Differences(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name) / "differences.parquet"
        binary = pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve()
        sides = ["--left", "rfc9309", "--right", "google,policy=closed", "--agent", "GPTBot,AI2Bot"]
        rows = [DEMO / "rows.parquet", "-o", cls.path, "--json"]
        command = [binary, "compare", "--corpus", DEMO / "robots.jsonl", *sides, *rows]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        cls.summary = json.loads(done.stdout)

    def test_columns_are_plain(self):
        schema = pq.read_schema(self.path)
        self.assertEqual({field.name: field.type for field in schema}, COLUMNS)

    def test_duckdb_counts_what_the_summary_says(self):
        query = "select robots_clause, robots_difference, count(*) from read_parquet(?) group by all"
        found = {(clause, kind): count for clause, kind, count in duckdb.execute(query, [str(self.path)]).fetchall()}
        clauses = self.summary["clauses"]
        expected = {(clause, kind): count for clause, kinds in clauses.items() for kind, count in kinds.items()}
        self.assertEqual(found, expected)
        self.assertEqual(sum(found.values()), self.summary["differences"])

    def test_rows_differ_as_they_say(self):
        for row in pq.read_table(self.path).to_pylist():
            sides = [{name: row[f"{name}_{side}"] for name in SIDE} for side in ("left", "right")]
            first = [name for name in ("robots_allowed", "robots_rule_id", "robots_basis", "robots_group") if sides[0][name] != sides[1][name]][0]
            kinds = {"robots_allowed": "verdict", "robots_rule_id": "rule", "robots_basis": "basis", "robots_group": "group"}
            self.assertEqual(row["robots_difference"], kinds[first])
            for side in sides:
                self.assertEqual(side["robots_rule_id"] is None, side["robots_digest"] is None)

    def test_the_recorded_evals_give_both_sides(self):
        metadata = pq.read_metadata(self.path).metadata
        for side, dialect, policy in (("left", b"rfc9309", b"rfc9309"), ("right", b"google", b"closed")):
            self.assertEqual(metadata[f"robosift.{side}.dialect".encode()], dialect)
            self.assertEqual(metadata[f"robosift.{side}.policy".encode()], policy)
            self.assertTrue(metadata[f"robosift.{side}.command".encode()].startswith(b"robosift eval "))


if __name__ == "__main__":
    unittest.main()
