"""Other processes: what is sent to them is small and opens again; threads of a parent are not waited for in a child."""

import copy
import multiprocessing
import os
import pathlib
import pickle
import unittest

import pyarrow.parquet as pq

import robosift

from support import PATIENCE, ROBOTS, ROOT, ROWS, Demo

ASKED = {"agents": "GPTBot", "columns": "full", "as_of": "latest"}


def judged(question: object) -> list:
    """In another process: the verdicts of an evaluator, or of a corpus."""
    judge = question.evaluator(**ASKED, threads=2) if isinstance(question, robosift.Corpus) else question
    # Longer than one piece, so that the pool is used.
    rows = pq.read_table(ROWS)
    return [judge(rows).to_pylist(), os.getpid()]


def asked_of(robots: robosift.RobotsTxt) -> bool:
    return robots.allowed(url="https://a.example/private", agent="GPTBot")


class Pickles(Demo):
    def test_a_corpus_is_sent_as_its_path(self):
        sent = pickle.dumps(self.corpus)
        self.assertLess(len(sent), 1024)
        opened = pickle.loads(sent)
        self.assertEqual((opened.path, opened.fingerprint), (self.corpus.path, self.corpus.fingerprint))

    def test_relative_paths_are_sent_whole(self):
        before = pathlib.Path.cwd()
        os.chdir(self.folder)
        try:
            corpus = robosift.Corpus.open("demo.corpus")
        finally:
            os.chdir(before)
        self.assertTrue(pathlib.Path(corpus.path).is_absolute())
        self.assertEqual(pickle.loads(pickle.dumps(corpus)).fingerprint, self.corpus.fingerprint)

    def test_an_evaluator_asks_the_same_elsewhere(self):
        judge = self.corpus.evaluator(**ASKED, status=["403=disallow"], keep=["url"], time="fetch_time", threads=1)
        sent = pickle.dumps(judge)
        self.assertLess(len(sent), 1024)
        for other in (pickle.loads(sent), copy.copy(judge), copy.deepcopy(judge)):
            self.assertEqual(other(self.rows), judge(self.rows))

    def test_a_robots_txt(self):
        body = b"User-agent: *\r\nDisallow: /private\n\xff\n" + b"# padding\n" * 60000
        for dialect, body_limit in (("rfc9309", 512_000), ("google", 30), ("google", 0)):
            robots = robosift.RobotsTxt(body, dialect=dialect, body_limit=body_limit)
            other = pickle.loads(pickle.dumps(robots))
            self.assertEqual(repr(other), repr(robots))
            self.assertEqual(asked_of(other), asked_of(robots))

    def test_exceptions_and_results_are_sent(self):
        error = pickle.loads(pickle.dumps(robosift.RowsError("column `x`")))
        self.assertEqual((type(error), str(error)), (robosift.RowsError, "column `x`"))
        found = robosift.lint("Alow: /\n")
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)

    def test_a_corpus_that_is_gone_is_told(self):
        corpus = robosift.Corpus.build(ROBOTS, self.folder / "short.corpus")
        sent = pickle.dumps(corpus)
        (self.folder / "short.corpus").rename(self.folder / "gone.corpus")
        with self.assertRaisesRegex(robosift.CorpusError, "short.corpus"):
            pickle.loads(sent)


class Processes(Demo):
    def check(self, method: str) -> None:
        expected = self.corpus.evaluate(self.rows, **ASKED).to_pylist()
        judge = self.corpus.evaluator(**ASKED, threads=2)
        # The parent has used its pool before.
        self.assertEqual(judge(self.rows).to_pylist(), expected)
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            found = pool.map_async(judged, [self.corpus, judge, judge, self.corpus]).get(timeout=PATIENCE)
            self.assertFalse(pool.apply_async(asked_of, [robosift.RobotsTxt("User-agent: *\nDisallow: /")]).get(timeout=PATIENCE))
        for verdicts, process in found:
            self.assertEqual(verdicts, expected)
            self.assertNotEqual(process, os.getpid())
        self.assertEqual(judge(self.rows).to_pylist(), expected)

    def test_spawned(self):
        surroundings = os.environ.get("PYTHONPATH", "")
        self.addCleanup(os.environ.__setitem__, "PYTHONPATH", surroundings)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python" / "tests"), surroundings])
        self.check("spawn")

    def test_forked(self):
        self.check("fork")

    def test_an_evaluator_of_the_parent_is_used_in_a_fork(self):
        judge = self.corpus.evaluator(**ASKED, threads=2)
        rows = self.rows
        expected = judge(rows)
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        child = context.Process(target=lambda: theirs.send(judge(rows).equals(expected)))
        child.start()
        try:
            self.assertTrue(ours.poll(PATIENCE), "the child hangs")
            self.assertTrue(ours.recv())
        finally:
            child.kill()
            child.join()


if __name__ == "__main__":
    unittest.main()
