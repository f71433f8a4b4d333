"""Half a million real rows: every column of every verdict is what `robosift eval` writes, and the verdicts are those expected.

Skips, with a line that says so, where the shared data is absent; fails where ROBOSIFT_REQUIRE_SHARED is 1.
"""

import pathlib
import tempfile
import unittest

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import robosift

from support import robosift_bin, shared

NUM_ROWS = 553_406
EXPECTED = {"rfc9309": ("rfc9309_allowed", "rfc9309_rule_line"), "google": ("allowed", "rule_line")}


class RealVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        robots, cls.vectors = shared("real_robots.parquet"), shared("real_vectors.parquet")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.corpus = robosift.Corpus.build(robots, cls.folder / "real.corpus", body_limit=0)
        cls.rows = pq.read_table(cls.vectors)

    def of_the_binary(self, dialect: str) -> pa.Table:
        output = self.folder / f"{dialect}.parquet"
        if not output.exists():
            asked = ["--agent-column", "agent", "--columns", "full", "--dialect", dialect, "--body-limit", "0", "--quiet"]
            robosift_bin("eval", "--corpus", self.corpus.path, *asked, self.vectors, "-o", output)
        return pq.read_table(output)

    def check(self, dialect: str) -> None:
        asked = {"agent_column": "agent", "columns": "full", "dialect": dialect}
        verdicts = self.corpus.evaluate(self.rows, **asked)
        self.assertEqual(verdicts.num_rows, NUM_ROWS)
        written = self.of_the_binary(dialect)
        self.assertEqual(verdicts.column_names, written.column_names)
        for name in written.column_names:
            self.assertTrue(verdicts[name].equals(written[name]), f"{dialect}: {name}")

        allowed, line = EXPECTED[dialect]
        self.assertTrue(verdicts["robots_allowed"].equals(self.rows[allowed]))
        lines = verdicts["robots_line"].fill_null(0)
        self.assertTrue(lines.equals(self.rows[line].fill_null(0)))

        streamed = self.corpus.evaluate(self.rows.to_reader(max_chunksize=10_007), **asked).read_all()
        self.assertTrue(streamed.equals(verdicts))
        at = self.rows.column_names.index("agent")
        encoded = self.rows.set_column(at, "agent", self.rows["agent"].dictionary_encode())
        self.assertTrue(self.corpus.evaluate(encoded, **asked).equals(verdicts))

    def test_rfc9309(self):
        self.check("rfc9309")

    def test_google(self):
        self.check("google")

    def test_polars(self):
        verdicts = self.corpus.evaluate(pl.read_parquet(self.vectors), agent_column="agent", columns="full")
        self.assertTrue(verdicts.equals(pl.from_arrow(self.of_the_binary("rfc9309"))))

    def test_single_questions_agree(self):
        """One in a hundred, asked of one robots.txt at a time."""
        bodies = {row["robots_id"]: row["body"] for row in pq.read_table(shared("real_robots.parquet"), columns=["robots_id", "body"]).to_pylist()}
        for dialect, (allowed, line) in EXPECTED.items():
            parsed: dict = {}
            for row in self.rows.take(pa.array(range(0, NUM_ROWS, 100))).to_pylist():
                robots = parsed.get(row["robots_id"]) or robosift.RobotsTxt(bodies[row["robots_id"]], dialect=dialect, body_limit=0)
                parsed[row["robots_id"]] = robots
                try:
                    verdict = robots.verdict(url=row["url"], agent=row["agent"])
                except robosift.ArgumentError:
                    self.assertIsNone(row[allowed], row)
                    continue
                self.assertEqual((verdict.allowed, verdict.line or 0), (row[allowed], row[line] or 0), row)


if __name__ == "__main__":
    unittest.main()
