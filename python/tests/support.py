"""What the tests share: the demo as a corpus, the binary, the shared data.

The wheel and requirements.txt installed, ROBOSIFT_BIN naming the binary: `python -m unittest discover -s python/tests`.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

import robosift

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
ROBOTS = DEMO / "robots.jsonl"
ROWS = DEMO / "rows.parquet"
SHARED = ROOT.parent / "shared" / "data"

#: How long a subprocess may take before it counts as one that hangs.
PATIENCE = 300


def robosift_bin(*arguments: object, ends_with: tuple[int, ...] = (0,)) -> str:
    """Runs the binary that ROBOSIFT_BIN names; its own words are shown when it fails."""
    binary = pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve()
    command = [str(part) for part in (binary, *arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode not in ends_with:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def shared(name: str) -> pathlib.Path:
    """A file of the shared data; without it the test is skipped, or fails where ROBOSIFT_REQUIRE_SHARED is 1."""
    path = SHARED / name
    if not path.exists():
        message = f"{path} is not there"
        if os.environ.get("ROBOSIFT_REQUIRE_SHARED") == "1":
            raise AssertionError(message)
        print(f"skipped: {message}")
        raise unittest.SkipTest(message)
    return path


def folder_for(test: unittest.TestCase) -> pathlib.Path:
    """A folder that is there as long as a test runs."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


class Demo(unittest.TestCase):
    """The demo: a corpus of its captures, a table of its rows."""

    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.corpus = robosift.Corpus.build(ROBOTS, cls.folder / "demo.corpus")
        cls.rows = pq.read_table(ROWS)

    def verdicts_of(self, urls: list, agent: str = "GPTBot", **asked) -> list:
        """Verdicts on a table of URLs alone, as rows."""
        return self.corpus.evaluate(pa.table({"url": pa.array(urls, pa.string())}), agents=agent, **asked).to_pylist()
