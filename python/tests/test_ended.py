"""What ends work early: damage that is met on the way, Ctrl-C, arguments and rows that would take the process down."""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

import robosift
from robosift import CorpusError, FilesError

from support import PATIENCE, Demo


class Damage(unittest.TestCase):
    """A corpus of many blocks, one of which is damaged: opening does not read it, rows need it."""

    NUM_ORIGINS = 4000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        captures = cls.folder / "captures.jsonl"
        hosts = [f"https://h{number}.example" for number in range(cls.NUM_ORIGINS)]
        with captures.open("w") as lines:
            for number, host in enumerate(hosts):
                body = "User-agent: *\n" + "".join(f"Disallow: /{number}/{rule}\n" for rule in range(number % 7 + 1))
                lines.write(json.dumps({"url": f"{host}/robots.txt", "status": 200, "body": body}) + "\n")
        cls.corpus = robosift.Corpus.build(captures, cls.folder / "many.corpus")
        cls.rows = pa.table({"url": [f"{host}/{number}/0" for number, host in enumerate(hosts)]})
        cls.parquet = cls.folder / "rows.parquet"
        pq.write_table(cls.rows, cls.parquet)
        cls.damage(pathlib.Path(cls.corpus.path) / "programs.arrow")

    def setUp(self):
        self.damaged = robosift.Corpus.open(self.corpus.path)

    @staticmethod
    def damage(path: pathlib.Path) -> None:
        octets = bytearray(path.read_bytes())
        middle = len(octets) // 2
        octets[middle : middle + 64] = bytes(octet ^ 0xFF for octet in octets[middle : middle + 64])
        path.chmod(0o644)
        path.write_bytes(octets)

    def test_tables(self):
        with self.assertRaisesRegex(CorpusError, "programs.arrow.*checksum"):
            self.damaged.evaluate(self.rows, agents="GPTBot")

    def test_streams(self):
        verdicts = self.damaged.evaluate(self.rows.to_reader(max_chunksize=100), agents="GPTBot", threads=1)
        with self.assertRaisesRegex(pa.ArrowInvalid, "programs.arrow.*checksum"):
            verdicts.read_all()

    def test_files(self):
        output = self.folder / "verdicts.parquet"
        with self.assertRaisesRegex((CorpusError, FilesError), "programs.arrow.*checksum"):
            robosift.eval_files(self.parquet, output, corpus=self.damaged, agents="GPTBot")
        self.assertFalse(output.exists())

    def test_rows_that_do_not_need_it_are_judged(self):
        verdicts = self.damaged.evaluate(pa.table({"url": ["https://nowhere.example/"]}), agents="GPTBot")
        self.assertEqual(verdicts["robots_basis"].to_pylist(), ["no_capture"])


LONG_RUN = """
import sys, robosift
import pyarrow as pa
from robosift import Corpus, eval_files

path, output, corpus = sys.argv[1:]
{before}
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    raise
"""


class Interrupted(Demo):
    """Ctrl-C is heard while work is under way, which would take minutes."""

    def check(self, path: pathlib.Path, output: pathlib.Path, work: str, before: str = "") -> None:
        code = LONG_RUN.format(before=before, work=work)
        command = [sys.executable, "-c", code, str(path), str(output), self.corpus.path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                self.assertEqual(process.stdout.readline(), "ready\n")
                time.sleep(1)
                self.assertIsNone(process.poll(), "the run was over before it could be interrupted")
                process.send_signal(signal.SIGINT)
                told, errors = process.communicate(timeout=10)
            finally:
                process.kill()
        self.assertEqual(told, "interrupted\n", errors)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(process.returncode, 0)

    def test_runs_over_files_end_and_leave_no_file(self):
        rows = self.folder / "long.parquet"
        with pq.ParquetWriter(rows, self.rows.schema) as writer:
            for _ in range(60):
                writer.write_table(pa.concat_tables([self.rows] * 50))
        folder = self.folder / "out"
        folder.mkdir()
        asked = "agents='@consent-in-crisis', columns='full', compression='none', threads=1"
        self.check(rows, folder / "verdicts.parquet", f"eval_files(path, output, corpus=corpus, {asked})")
        self.assertEqual(list(folder.iterdir()), [])

    def test_tables(self):
        before = "rows = pa.table({'url': pa.chunked_array([[f'https://private.example.com/{n}' for n in range(10_000)]] * 20_000)})"
        asked = "agents='@consent-in-crisis', columns='allowed', threads=1"
        self.check(pathlib.Path(), pathlib.Path(), f"Corpus.open(corpus).evaluate(rows, {asked})", before)

    def test_builds(self):
        captures = self.folder / "long.jsonl"
        with captures.open("w") as lines:
            for number in range(300_000):
                body = f"User-agent: *\\nDisallow: /{number}\\n" + "Disallow: /a/b/c*d\\n" * 20
                lines.write(f'{{"url": "https://h{number}.example/robots.txt", "status": 200, "body": "{body}"}}\n')
        output = self.folder / "long.corpus"
        self.check(captures, output, "Corpus.build(path, output, threads=1)")
        # Nor was it finished first, to be told of the interruption then.
        self.assertFalse(output.exists())


class Limits(Demo):
    """What would take the machine down is refused, not tried."""

    def test_a_million_threads_are_refused(self):
        code = (
            "import sys, robosift, pyarrow as pa\n"
            "corpus = robosift.Corpus.open(sys.argv[1])\n"
            "rows = pa.table({'url': ['https://private.example.com/']})\n"
            "try:\n"
            "    corpus.evaluate(rows, agents='GPTBot', threads=1_000_000)\n"
            "except robosift.ArgumentError as error:\n"
            "    assert 'threads' in str(error), error\n"
        )
        # Of memory, no more than this: so that a failure takes down nothing else.
        command = ["bash", "-c", 'ulimit -v 8000000; exec "$@"', "bash", sys.executable, "-c", code, self.corpus.path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_unaligned_offsets_are_refused(self):
        """What reads them in place may not read them; nor may it take the process down."""
        code = (
            "import sys, robosift, pyarrow as pa\n"
            "url = b'https://private.example.com/x'\n"
            "for kind, size in ((pa.string(), 4), (pa.large_binary(), 8)):\n"
            "    offsets = b'-' + b''.join(n.to_bytes(size, 'little') for n in (0, len(url), 2 * len(url)))\n"
            "    buffers = [None, pa.py_buffer(offsets).slice(1), pa.py_buffer(2 * url)]\n"
            "    urls = pa.Array.from_buffers(kind, 2, buffers)\n"
            "    for rows in (pa.table({'url': urls}), pa.table({'url': ['x', 'y'], 'more': pa.array([{'a': 1}] * 2), 'deep': pa.StructArray.from_arrays([urls], ['a'])})):\n"
            "        try:\n"
            "            robosift.Corpus.open(sys.argv[1]).evaluate(rows, agents='GPTBot')\n"
            "        except robosift.RowsError as error:\n"
            "            assert 'address' in str(error), error\n"
            "        else:\n"
            "            raise AssertionError(kind)\n"
        )
        done = subprocess.run([sys.executable, "-c", code, self.corpus.path], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
