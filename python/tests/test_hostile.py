"""What producers, processes and disks may do to the wheel, each with the way in which it has to end."""

import os
import shutil
import signal
import subprocess
import sys
import unittest

import pyarrow as pa

import robosift
from robosift.spark import _worker
from support import PATIENCE, ROBOTS, Demo

URL = "https://private.example.com/a"


class Liars(Demo):
    """Batches that are not what their reader says: told, not read as something else, and never the end of the process."""

    def test_readers_of_generators(self):
        said = pa.schema([("url", pa.string()), ("id", pa.int64())])
        wrong = [
            pa.record_batch({"url": [URL] * 4, "id": pa.array([1, 2, 3, 4], pa.int32())}),
            pa.record_batch({"url": pa.array([URL] * 4, pa.large_string()), "id": pa.array([1, 2, 3, 4], pa.int64())}),
            pa.record_batch({"url": [1, 2], "id": [1, 2]}),
            pa.record_batch({"url": [URL]}),
            pa.record_batch({"url": [URL], "id": [1], "more": [2]}),
        ]
        for batch in wrong:
            for threads in (1, 2):
                with self.subTest(batch.schema, threads=threads):
                    rows = pa.RecordBatchReader.from_batches(said, iter([batch]))
                    verdicts = self.corpus.evaluate(rows, agents="GPTBot", keep=["id"], threads=threads)
                    with self.assertRaisesRegex(pa.ArrowInvalid, "another schema than its reader says"):
                        verdicts.read_all()

    def test_producers_of_their_own(self):
        """As a library that is not pyarrow might: nothing stands between its stream and ours."""
        code = (
            "import sys, robosift, pyarrow as pa\n"
            "class Liar:\n"
            "    def __init__(self, said, batch): self.said, self.batch = said, batch\n"
            "    def __arrow_c_stream__(self, requested_schema=None):\n"
            "        return pa.RecordBatchReader.from_batches(self.said, iter([self.batch])).__arrow_c_stream__()\n"
            "corpus = robosift.Corpus.open(sys.argv[1])\n"
            "said = pa.schema([('url', pa.string())])\n"
            "for batch in ({'url': [1, 2]}, {'url': ['x'], 'more': [1]}, {'more': [[1]]}):\n"
            "    for judge in (corpus.evaluate(Liar(said, pa.record_batch(batch)), agents='GPTBot').read_all,\n"
            "                  lambda: robosift._corpus._arrow.pyarrow().table(corpus.evaluator(agents='GPTBot')._inner.evaluate(Liar(said, pa.record_batch(batch))))):\n"
            "        try:\n"
            "            judge()\n"
            "        except (pa.ArrowInvalid, robosift.RowsError) as error:\n"
            "            assert 'schema' in str(error), error\n"
            "        else:\n"
            "            raise AssertionError(batch)\n"
        )
        done = subprocess.run([sys.executable, "-c", code, self.corpus.path], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_row_is_lost_where_one_batch_cannot_hold_all(self):
        rows = pa.record_batch({"url": [URL] * 3_000, "text": ["x" * 50_000] * 3_000})
        agents = [f"agent-{letter}{other}" for letter in "abcd" for other in "abcdefgh"]
        with self.assertRaisesRegex((robosift.RowsError, pa.ArrowInvalid), "2 GiB|[Oo]verflow"):
            self.corpus.evaluate(rows, agents=agents, layout="long", columns="allowed", keep=["text"])


class Processes(Demo):
    """Forks, threads."""

    def test_a_reader_that_was_begun_goes_on_in_a_fork(self):
        batches = [pa.record_batch({"url": [URL] * 70_000})] * 6
        verdicts = self.corpus.evaluate(pa.RecordBatchReader.from_batches(batches[0].schema, iter(batches)), agents="GPTBot", threads=2)
        verdicts.read_next_batch()
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            num_rows = sum(batch.num_rows for batch in verdicts)
            os._exit(0 if num_rows > 200_000 else 3)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_threads_end_with_the_pool_that_nobody_asks_for(self):
        rows = pa.table({"url": [URL] * 200_000})
        for threads in range(2, 20):
            self.corpus.evaluate(rows, agents="GPTBot", threads=threads)
        listed = os.listdir("/proc/self/task")
        self.assertLess(len(listed), 100)


class Replaced(Demo):
    """Another corpus where there was one."""

    def replaced(self) -> str:
        path = self.folder / "moving.corpus"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.corpus.path, path)
        return str(path)

    def replace(self, path: str) -> robosift.Corpus:
        robots = self.folder / "robots.txt"
        robots.write_text("User-agent: *\nDisallow: /")
        shutil.rmtree(path)
        return robosift.Corpus.build(robots, path, origin="https://private.example.com")

    def test_one_corpus_does_not_answer_from_two(self):
        path = self.replaced()
        corpus = robosift.Corpus.open(path)
        self.replace(path)
        with self.assertRaisesRegex(robosift.CorpusError, "was replaced"):
            corpus.evaluate(pa.table({"url": [URL]}), agents="GPTBot", dialect="google")

    def test_a_worker_sees_the_new_one(self):
        path = self.replaced()
        rows = pa.record_batch({"url": [URL]})

        def judged() -> list:
            arguments = {"url": None, "agent_column": None, "origin": None, "time": None, "keep": None, "options": {}}
            return _worker.evaluator(path, ["NobodyElse"], arguments)(rows).to_pylist()

        before = judged()
        fresh = self.replace(path).evaluate(rows, agents="NobodyElse").to_pylist()
        self.assertNotEqual(before, fresh)
        self.assertEqual(judged(), fresh)


class Copies(unittest.TestCase):
    """Corpora from stores."""

    def test_what_is_not_whole_is_not_kept(self):
        import tempfile
        from pathlib import Path

        from pyarrow import fs

        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            robosift.Corpus.build(ROBOTS, folder / "c.corpus")
            (folder / "c.corpus/captures.arrow").rename(folder / "on its way")
            with self.assertRaisesRegex(robosift.CorpusError, "not whole: captures.arrow"):
                _worker.copy(fs.LocalFileSystem(), str(folder / "c.corpus"), folder / "copy")
            self.assertFalse((folder / "copy").exists())
            (folder / "on its way").rename(folder / "c.corpus/captures.arrow")
            _worker.copy(fs.LocalFileSystem(), str(folder / "c.corpus"), folder / "copy")
            robosift.Corpus.open(folder / "copy")

    def test_places_that_are_no_store(self):
        for url in ("wasbs://a@b/c", "nonsense://x/y"):
            with self.assertRaises(robosift.CorpusError):
                _worker.cached(url)
        self.assertEqual(_worker.local("file:/a/b"), "/a/b")
        self.assertEqual(_worker.local("file:///a/b"), "/a/b")
        self.assertEqual(_worker.local("/a/b"), "/a/b")


if __name__ == "__main__":
    unittest.main()
