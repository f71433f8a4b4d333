"""The binary's output as pyarrow and DuckDB read it: column types, nulls, order, and the parts of a rule id.

Builds nothing: ROBOSIFT_BIN names the binary (scripts/test sets it). Runs `eval` on data/demo once for each shape.
"""

import collections
import os
import pathlib
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
STANDARD = {
    "robots_allowed": pa.bool_(),
    "robots_basis": pa.string(),
    "robots_rule_id": pa.int64(),
    "robots_group": pa.string(),
}
DUCKDB_TYPES = ["BOOLEAN", "VARCHAR", "BIGINT", "VARCHAR"]
# The bases under which a verdict is unknown.
UNKNOWN = {"bad_url", "bad_agent", "no_capture", "redirect_unresolved"}
# The bases that come from a group which applies to the agent.
GROUPED = {"rule", "no_rule"}


def evaluate(output: pathlib.Path, *arguments: str) -> pathlib.Path:
    """Runs `eval` on the demo; the binary's own words are shown when it fails."""
    binary = pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve()
    command = [binary, "eval", "--corpus", ROBOTS, "--as-of", "latest", *arguments, ROWS, "-o", output]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return output


class OneAgent(unittest.TestCase):
    """`--agent GPTBot`: the standard columns without a suffix."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = evaluate(pathlib.Path(folder.name) / "verdicts.parquet", "--agent", "GPTBot")
        cls.verdicts = pq.read_table(cls.path).to_pylist()
        cls.rows = pq.read_table(ROWS).to_pylist()
        cls.expected = pq.read_table(EXPECTED).to_pylist()

    def test_columns_are_the_standard_ones_with_plain_types(self):
        schema = pq.read_schema(self.path)
        self.assertEqual(schema.names, list(STANDARD))
        self.assertEqual(schema.types, list(STANDARD.values()))

    def test_duckdb_sees_the_same_types(self):
        described = duckdb.sql(f"DESCRIBE SELECT * FROM '{self.path}'").fetchall()
        self.assertEqual([column[0] for column in described], list(STANDARD))
        self.assertEqual([column[1] for column in described], DUCKDB_TYPES)

    def test_row_groups_are_those_of_the_input(self):
        ours, theirs = pq.ParquetFile(self.path).metadata, pq.ParquetFile(ROWS).metadata
        groups = range(theirs.num_row_groups)
        self.assertEqual(ours.num_row_groups, theirs.num_row_groups)
        self.assertEqual([ours.row_group(at).num_rows for at in groups], [theirs.row_group(at).num_rows for at in groups])

    def test_verdicts_are_those_expected_row_by_row(self):
        ours = [(verdict["robots_allowed"], verdict["robots_basis"]) for verdict in self.verdicts]
        theirs = [(row["gptbot_allowed"], row["gptbot_basis"]) for row in self.expected]
        self.assertEqual(ours, theirs)

    def test_unknown_is_null_and_never_an_answer(self):
        for verdict in self.verdicts:
            self.assertEqual(verdict["robots_allowed"] is None, verdict["robots_basis"] in UNKNOWN, verdict)

    def test_rule_id_and_group_are_null_where_none_applied(self):
        for verdict in self.verdicts:
            self.assertEqual(verdict["robots_rule_id"] is None, verdict["robots_basis"] != "rule", verdict)
            self.assertEqual(verdict["robots_group"] is None, verdict["robots_basis"] not in GROUPED, verdict)

    def test_group_tells_a_named_one_from_the_wildcard(self):
        groups = collections.defaultdict(set)
        for row, verdict in zip(self.rows, self.verdicts, strict=True):
            if verdict["robots_group"] is not None:
                groups[row["url"].split("/")[2]].add(verdict["robots_group"])
        self.assertEqual(groups["www.gazette.example"], {"named"})
        self.assertEqual(groups["gallery.example"], {"named"})
        self.assertEqual(groups["private.example.com"], {"wildcard"})

    def test_rule_id_holds_the_line_below_and_the_body_above(self):
        bodies = collections.defaultdict(set)
        for row, verdict, expected in zip(self.rows, self.verdicts, self.expected, strict=True):
            if (rule_id := verdict["robots_rule_id"]) is None:
                continue
            self.assertEqual(rule_id & 0xFFFFFFFF, expected["gptbot_rule_line"])
            self.assertIn(rule_id >> 32, range(2**31))
            bodies[row["url"].split("/")[2]].add(rule_id >> 32)
        # http and https of the band end at one file; the two ports of the status page serve one each.
        self.assertEqual(len(bodies["brassband.test"]), 1)
        self.assertNotEqual(bodies["status.example.com"], bodies["status.example.com:8443"])

    def test_duckdb_joins_by_position_and_takes_rule_ids_apart(self):
        query = f"""
            SELECT robots_rule_id >> 32 AS body, robots_rule_id & 4294967295 AS line, count(*) AS num_rows
            FROM '{ROWS}' POSITIONAL JOIN '{self.path}'
            WHERE url LIKE 'https://www.gazette.example/%' AND robots_allowed = false
            GROUP BY ALL
        """
        found = duckdb.sql(query).fetchall()
        refused = [
            row["row"]
            for row, source in zip(self.expected, self.rows, strict=True)
            if (source["url"] or "").startswith("https://www.gazette.example/") and row["gptbot_allowed"] is False
        ]
        self.assertEqual([(line, num_rows) for _, line, num_rows in found], [(3, len(refused))])

    def test_duckdb_counts_nulls_apart(self):
        counted = duckdb.sql(f"SELECT robots_allowed, count(*) FROM '{self.path}' GROUP BY ALL").fetchall()
        expected = collections.Counter(row["gptbot_allowed"] for row in self.expected)
        self.assertEqual(dict(counted), dict(expected))


class SeveralAgents(unittest.TestCase):
    """`--agent GPTBot,CCBot,ClaudeBot`: one family of columns for each agent."""

    def test_each_agent_has_its_own_suffixed_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            path = evaluate(pathlib.Path(folder) / "verdicts.parquet", "--agent", "GPTBot,CCBot,ClaudeBot")
            table = pq.read_table(path)
        suffixes = ("gptbot", "ccbot", "claudebot")
        names = [f"{column}_{suffix}" for suffix in suffixes for column in STANDARD]
        self.assertEqual(sorted(table.schema.names), sorted(names))
        for name in names:
            self.assertEqual(table.schema.field(name).type, STANDARD[name.rpartition("_")[0]], name)
        theirs = pq.read_table(EXPECTED, columns=["gptbot_allowed"])
        self.assertEqual(table["robots_allowed_gptbot"].to_pylist(), theirs["gptbot_allowed"].to_pylist())


class AgentColumn(unittest.TestCase):
    """`--agent-column agent`: every row asks for its own agent, by token or identification string."""

    def test_verdicts_are_those_expected_row_by_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = evaluate(pathlib.Path(folder) / "verdicts.parquet", "--agent-column", "agent")
            table = pq.read_table(path)
        self.assertEqual(table.schema.names, list(STANDARD))
        lines = [None if rule_id is None else rule_id & 0xFFFFFFFF for rule_id in table["robots_rule_id"].to_pylist()]
        ours = list(zip(table["robots_allowed"].to_pylist(), table["robots_basis"].to_pylist(), lines, strict=True))
        expected = pq.read_table(EXPECTED, columns=["agent_allowed", "agent_basis", "agent_rule_line"])
        self.assertEqual(ours, [tuple(row.values()) for row in expected.to_pylist()])


if __name__ == "__main__":
    unittest.main()
