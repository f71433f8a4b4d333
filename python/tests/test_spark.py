"""Verdicts on Spark: real executors and Python workers, compared row by row with what the binary writes."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import robosift
import robosift.spark
import spark_session
from robosift.spark import _worker
from robosift.spark._request import Request

ROWS = int(os.environ.get("ROBOSIFT_SPARK_ROWS", "5000000"))
AGENTS = ["GPTBot", "CCBot"]
DEMO_ROWS = spark_session.repository() / "data/demo/rows.parquet"
DEMO_ROBOTS = spark_session.repository() / "data/demo/robots.jsonl"


def binary(*arguments: object) -> None:
    """Runs the command line."""
    command = os.environ.get("ROBOSIFT_BIN", str(spark_session.repository() / "target/debug/robosift"))
    subprocess.run([command, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def numbered(rows: Path, folder: Path, files: int) -> None:
    """The rows of a file with a number each, in several files."""
    folder.mkdir()
    table = pq.read_table(rows, columns=["url", "fetch_time"])
    table = table.append_column("id", pa.array(range(table.num_rows), pa.int64()))
    size = -(-table.num_rows // files)
    for number in range(files):
        part = table.slice(number * size, size)
        pq.write_table(part, folder / f"part-{number:02}.parquet", row_group_size=100_000)


HOSTS = [f"{word}{number}" for number in range(60) for word in ("alpha", "beta.sub", "gamma", "zeta")]


def some_captures() -> pa.Table:
    """Captures with redirects from host to host and to other URLs, bodies that many serve, some times of each."""
    random = Random(11)
    bodies = [
        f"User-agent: {agent}\nDisallow: /private/\nAllow: /{number}\n\nUser-agent: *\nDisallow: /{path}\n"
        for number, (agent, path) in enumerate(itertools.product(["GPTBot", "CCBot", "Other"], ["", "a/", "c?", "private", "x*y"]))
    ]
    rows = []
    for host in HOSTS:
        for _ in range(random.randint(1, 4)):
            status = random.choice([200, 200, 200, 301, 301, 302, 403, 404, 503, None])
            to = random.choice(HOSTS)
            target = random.choice([f"https://{to}.example/robots.txt", f"https://{to}.example/moved?to=1", "/elsewhere", "no:where"])
            body = random.choice(bodies) if random.random() < 0.7 else f"{random.choice(bodies)}# {host}"
            rows.append((f"https://{host}.example/robots.txt", status, body, target, random.randint(0, 40) * 3600))
        for path in ("/moved?to=1", "/elsewhere"):
            if random.random() < 0.5:
                rows.append((f"https://{host}.example{path}", random.choice([200, 302]), f"{random.choice(bodies)}# {path}", f"https://{random.choice(HOSTS)}.example/robots.txt", random.randint(0, 40) * 3600))
    rows.append(("not a URL", 200, "", None, 0))
    url, status, body, redirect, time_of = map(list, zip(*rows))
    return pa.table({
        "url": url,
        "status": pa.array(status, pa.int16()),
        "body": pa.array([text.encode() for text in body]),
        "redirect": redirect,
        "fetch_time": pa.array([1_790_000_000_000_000 + seconds * 1_000_000 for seconds in time_of], pa.timestamp("us", tz="UTC")),
    })


class OnSpark(unittest.TestCase):
    """A corpus, rows, and what the binary says about them."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="robosift-test-"))
        cls.spark = spark_session.start()
        cls.demo = robosift.Corpus.build(DEMO_ROBOTS, cls.folder / "demo.corpus")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()
        shutil.rmtree(cls.folder)

    def assert_same(self, got: pa.Table, wanted: pa.Table) -> None:
        """The same columns of verdicts with the same values."""
        names = [name for name in wanted.column_names if name.startswith("robots_")]
        self.assertEqual([name for name in got.column_names if name.startswith("robots_")], names)
        self.assertEqual(got.num_rows, wanted.num_rows)
        for name in names:
            ours, theirs = got[name].combine_chunks(), wanted[name].cast(got.schema.field(name).type).combine_chunks()
            self.assertEqual(ours.null_count, theirs.null_count, name)
            different = pc.sum(pc.not_equal(ours, theirs)).as_py()
            self.assertFalse(different, f"{name}: {different} rows differ")

    def collected(self, df: Any) -> pa.Table:
        """All rows, by their number."""
        to = self.folder / f"collected-{time.monotonic_ns()}"
        df.write.parquet(str(to))
        table = ds.dataset(to, format="parquet").to_table().sort_by("id")
        shutil.rmtree(to)
        return table

    def frame(self, table: pa.Table) -> Any:
        """A DataFrame with these rows and a number each."""
        to = self.folder / f"frame-{time.monotonic_ns()}.parquet"
        pq.write_table(table.append_column("id", pa.array(range(table.num_rows), pa.int64())), to)
        return self.spark.read.parquet(str(to))

    # --- the demo's rows

    def test_columns_are_the_same_of_all_options(self) -> None:
        rows = pq.read_table(DEMO_ROWS, columns=["url", "fetch_time"])
        for options in [
            {},
            {"dialect": "google", "policy": "closed"},
            {"as_of": "latest", "status": ["403=disallow"]},
            {"as_of": "ever", "fallback": "documented"},
        ]:
            with self.subTest(options=options):
                wanted = self.demo.evaluate(rows, agents=AGENTS, columns="full", **options).drop_columns(["robots_row"])
                judged = robosift.spark.evaluate(
                    self.frame(rows), corpus=self.demo.path, agents=AGENTS, columns="full", **options
                )
                self.assert_same(self.collected(judged), wanted)

    def test_each_row_may_name_its_agent(self) -> None:
        rows = pq.read_table(DEMO_ROWS, columns=["url", "agent"])
        wanted = self.demo.evaluate(rows, agent_column="agent")
        judged = robosift.spark.evaluate(self.frame(rows), corpus=self.demo.path, agent_column="agent")
        self.assert_same(self.collected(judged), wanted)

    def test_the_long_layout_has_a_row_for_each_agent(self) -> None:
        rows = pq.read_table(DEMO_ROWS, columns=["url"])
        judged = robosift.spark.evaluate(
            self.frame(rows), corpus=self.demo.path, agents=AGENTS, layout="long", keep=["id"]
        )
        table = self.collected(judged)
        self.assertEqual(table.num_rows, 2 * rows.num_rows)
        wanted = self.demo.evaluate(rows, agents="CCBot")
        of_ccbot = table.filter(pc.equal(table["robots_agent"], "CCBot")).drop_columns(["robots_agent"])
        self.assert_same(of_ccbot, wanted)

    def test_the_schema_follows_from_the_arguments_alone(self) -> None:
        rows = self.frame(pq.read_table(DEMO_ROWS, columns=["url"]))
        judged = robosift.spark.evaluate(rows, corpus="/nowhere/at.all", agents="GPTBot")
        self.assertEqual(
            judged.schema.simpleString(),
            "struct<url:string,id:bigint,robots_allowed:boolean,robots_basis:string,robots_rule_id:bigint,"
            "robots_group:string>",
        )

    def test_mistakes_are_told_before_anything_runs(self) -> None:
        rows = self.frame(pq.read_table(DEMO_ROWS, columns=["url"]))
        mistakes: list[tuple[dict[str, Any], type[Exception], str]] = [
            ({"agents": "GPTBot", "url": "link"}, robosift.RowsError, "link"),
            ({"agents": "GPTBot", "url": "id"}, robosift.RowsError, "Int64"),
            ({"agents": "GPTBot", "policy": "strict"}, robosift.ArgumentError, "strict"),
            ({"agents": "GPTBot", "polcy": "google"}, robosift.ArgumentError, "polcy"),
            ({"agents": []}, robosift.ArgumentError, "agent"),
            ({"agents": "GPTBot", "as_of": "row"}, robosift.RowsError, "time"),
        ]
        for arguments, kind, word in mistakes:
            with self.subTest(arguments=arguments), self.assertRaisesRegex(kind, word):
                robosift.spark.evaluate(rows, corpus=self.demo.path, **arguments)

    def test_a_filter_keeps_what_no_agent_was_refused(self) -> None:
        rows = pq.read_table(DEMO_ROWS, columns=["url", "fetch_time"])
        allowed = self.demo.evaluate(rows, agents=AGENTS, columns="allowed")
        for unknown in ("keep", "drop"):
            kept = robosift.spark.filter(self.frame(rows), corpus=self.demo.path, agents=AGENTS, unknown=unknown)
            wanted = [
                number
                for number, verdicts in enumerate(zip(*(column.to_pylist() for column in allowed.columns)))
                if all(verdict is True or (verdict is None and unknown == "keep") for verdict in verdicts)
            ]
            self.assertEqual(self.collected(kept)["id"].to_pylist(), wanted)
            self.assertEqual(kept.columns, ["url", "fetch_time", "id"])
        with self.assertRaisesRegex(robosift.ArgumentError, "unknown"):
            robosift.spark.filter(self.frame(rows), corpus=self.demo.path, agents=AGENTS, unknown="maybe")  # type: ignore[arg-type]

    def test_a_corpus_comes_as_an_archive(self) -> None:
        rows = pq.read_table(DEMO_ROWS, columns=["url"])
        archive = shutil.make_archive(str(self.folder / "packed"), "gztar", self.folder, "demo.corpus")
        self.spark.sparkContext.addArchive(f"{archive}#packed")
        judged = robosift.spark.evaluate(self.frame(rows), corpus="sparkfiles:packed", agents="GPTBot")
        self.assert_same(self.collected(judged), self.demo.evaluate(rows, agents="GPTBot"))

    def test_the_job_writes_the_partitions_of_its_input(self) -> None:
        table = pq.read_table(DEMO_ROWS, columns=["url", "fetch_time"])
        index = self.folder / "index"
        halves = {"warc": table.slice(0, 1200), "robotstxt": table.slice(1200)}
        for subset, rows in halves.items():
            to = index / "crawl=007" / f"my col={subset}"
            to.mkdir(parents=True)
            pq.write_table(rows, to / "part-0.parquet")
        output = self.folder / "job"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(Path(robosift.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]))}
        submit = Path(shutil.which("spark-submit", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])) or "spark-submit")
        job = Path(robosift.spark.__file__).with_name("job.py")
        command = [submit, "--master", "local[1]", "--conf", "spark.ui.enabled=false", job, index, output]
        command += ["--corpus", self.demo.path, "--agent", "GPTBot,CCBot", "--where", "`my col` = 'warc'"]
        command += ["--option", "status=403=disallow", "--option", "status=5xx=allow"]
        ended = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr[-2000:])
        self.assertIn("1,200 rows with verdicts", ended.stdout)
        written = list(output.rglob("*.parquet"))
        self.assertTrue(all(path.parent == output / "crawl=007/my col=warc" for path in written), written)
        got = ds.dataset(output, format="parquet").to_table()
        self.assertEqual(got.column_names[0], "url")
        self.assert_same(got, self.demo.evaluate(halves["warc"], agents=AGENTS, status=["403=disallow", "5xx=allow"]))
        over = [*command[:7], index, *command[8:], "--mode", "overwrite"]
        self.assertEqual(subprocess.run(list(map(str, over)), env=environment, capture_output=True, cwd=self.folder, check=False).returncode, 2)
        self.assertEqual(ds.dataset(index, format="parquet").count_rows(), table.num_rows)
        wrong = subprocess.run(list(map(str, [*command, "--option", "policy=strict"])), env=environment, capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual(wrong.returncode, 2)
        # Spark's launcher gives both outputs of the job as one.
        self.assertIn("robosift-spark: policy: `strict` is unknown", wrong.stdout + wrong.stderr)

    # --- corpora built on Spark

    def test_shards_built_on_spark_answer_as_one_build_of_all_captures(self) -> None:
        captures = some_captures()
        table = self.folder / "captures.parquet"
        pq.write_table(captures, table, row_group_size=200)
        whole = robosift.Corpus.build(table, self.folder / "whole.corpus")
        urls = [f"https://{host}.example{path}" for host in HOSTS for path in ("/", "/a/b", "/private/c", "/c?q=1")]
        rows = pa.table({"url": urls})
        wanted = whole.evaluate(rows, agents=AGENTS, columns="full")
        self.assertGreater(len(set(wanted["robots_rule_id_gptbot"].to_pylist())), 30)
        self.assertGreaterEqual(len(set(wanted["robots_basis_gptbot"].to_pylist())), 5)
        df = self.spark.read.parquet(str(table))
        for shards in (1, 7):
            with self.subTest(shards=shards):
                built = robosift.spark.build_corpus(df, self.folder / f"{shards}.corpus", shards=shards)
                same = ["origins", "bodies", "captures", "captures_without_place", "captures_without_status"]
                self.assertEqual([built.info[name] for name in same], [whole.info[name] for name in same])
                self.assertTrue(built.evaluate(rows, agents=AGENTS, columns="full").equals(wanted))
                self.assertEqual(len(list(Path(built.path).glob("shard-*"))), shards)
                judged = robosift.spark.evaluate(self.frame(rows), corpus=built.path, agents=AGENTS)
                self.assert_same(self.collected(judged), whole.evaluate(rows, agents=AGENTS))
        self.assert_each_shard_answers_alone(self.folder / "7.corpus", rows, wanted)

    def assert_each_shard_answers_alone(self, root: Path, rows: pa.Table, wanted: pa.Table) -> None:
        """By itself, each shard says the same of its own origins, whatever their redirects lead to; numbers are its own."""
        names = [name for name in wanted.column_names if "rule_id" not in name and name != "robots_row"]
        num_origins = 0
        for path in sorted(root.glob("shard-*")):
            shard = robosift.Corpus.open(path)
            num_origins += shard.info["origins"]
            alone = shard.evaluate(rows, agents=AGENTS, columns="full")
            own = pc.or_(pc.not_equal(alone["robots_basis_gptbot"], "no_capture"), pc.not_equal(alone["robots_basis_ccbot"], "no_capture"))
            self.assertTrue(alone.filter(own).select(names).equals(wanted.filter(own).select(names)), path)
        self.assertEqual(num_origins, robosift.Corpus.open(root).info["origins"])

    def test_captures_that_cannot_be_read_are_refused_or_counted(self) -> None:
        table = pa.table({"url": ["https://a.example/robots.txt", "nothing"], "body": [b"User-agent: *", b""], "status": ["200", "many"]})
        pq.write_table(table, self.folder / "bad.parquet")
        df = self.spark.read.parquet(str(self.folder / "bad.parquet"))
        with self.assertRaisesRegex(Exception, "many"):
            robosift.spark.build_corpus(df, self.folder / "bad.corpus", shards=2)
        self.assertFalse((self.folder / "bad.corpus").exists())
        precious = self.folder / "bad.corpus.partial"
        precious.mkdir()
        with self.assertWarnsRegex(UserWarning, "1 rows were passed over"):
            built = robosift.spark.build_corpus(df, self.folder / "bad.corpus", shards=2, on_error="skip")
        self.assertEqual(sorted(path.name for path in self.folder.glob("bad.corpus*")), ["bad.corpus", "bad.corpus.partial"])
        self.assertEqual(built.info["captures"], 1)
        with self.assertRaisesRegex(robosift.CorpusError, "is there already"):
            robosift.spark.build_corpus(df, self.folder / "bad.corpus")
        for shards in (0, -1, 1_000_000):
            with self.assertRaisesRegex(robosift.ArgumentError, "shards"):
                robosift.spark.build_corpus(df, self.folder / "other.corpus", shards=shards)
        with self.assertRaisesRegex(robosift.ArgumentError, "URL"):
            robosift.spark.build_corpus(df, "s3://bucket/other.corpus")
        with self.assertRaisesRegex(robosift.ArgumentError, "bdy"):
            robosift.spark.build_corpus(df, self.folder / "other.corpus", columns={"bdy": "body"})

    # --- many rows

    def test_millions_of_rows_and_workers_that_die(self) -> None:
        # In a process and a cluster of their own: what dies here is not to be in the way of other tests.
        if os.environ.get("ROBOSIFT_TEST_ALONE") != "1":
            name = f"test_spark.{type(self).__name__}.{self._testMethodName}"
            environment = {**os.environ, "ROBOSIFT_TEST_ALONE": "1"}
            alone = [sys.executable, "-m", "unittest", name]
            ended = subprocess.run(alone, env=environment, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 0, ended.stdout[-2000:] + ended.stderr[-4000:])
            return
        made, rows = self.folder / "made", self.folder / "rows"
        binary("workload", "--rows", ROWS, "--files", 1, "-o", made, "--quiet")
        numbered(made / "rows/part-00000.parquet", rows, 16)
        corpus = robosift.Corpus.build(made / "robots.parquet", self.folder / "made.corpus")
        verdicts = self.folder / "wanted.parquet"
        binary("eval", "--corpus", corpus.path, "--agent", ",".join(AGENTS), "--quiet", "-o", verdicts, made / "rows/part-00000.parquet")
        wanted = pq.read_table(verdicts)
        df = self.spark.read.parquet(str(rows))

        judged = robosift.spark.evaluate(df, corpus=corpus.path, agents=AGENTS, keep=["id"])
        self.assert_same(self.collected(judged), wanted)

        opened = df.mapInArrow(Opened(request(corpus)), "pid bigint, opened bigint, tasks bigint").collect()
        workers = {row.pid for row in opened}
        self.assertEqual({row.opened for row in opened}, {1})
        self.assertGreater(len(opened), len(workers), "several tasks a worker")

        # pyspark.daemon forks the workers; the executors' command line names their class.
        for name in ("pyspark.daemon", "CoarseGrainedExecutorBackend"):
            for _ in range(5):
                killer = Killer(self.spark, name)
                killer.start()
                again = self.collected(robosift.spark.evaluate(df, corpus=corpus.path, agents=AGENTS, keep=["id"]))
                killer.done.set()
                killer.join()
                self.assert_same(again, wanted)
                if killer.has_killed:
                    break
            self.assertTrue(killer.has_killed, f"{name}: no job of five was under way when it was looked at")


def request(corpus: robosift.Corpus) -> Request:
    """What is asked of all rows."""
    return Request(corpus.path, AGENTS, None, None, None, None, "none", {})


class Opened:
    """Judges a partition; gives the worker and how often it has opened a corpus."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tasks = sum(1 for _ in self.request.verdicts(batches))
        pid, opened = os.getpid(), _worker.times_opened[str(self.request.corpus)]
        yield pa.record_batch({"pid": pa.array([pid]), "opened": pa.array([opened]), "tasks": pa.array([tasks])})


class Killer(threading.Thread):
    """Kills a process of that name once tasks are running and some are done."""

    def __init__(self, spark: Any, name: str) -> None:
        super().__init__()
        self.tracker = spark.sparkContext.statusTracker()
        self.process = name
        self.done = threading.Event()
        self.has_killed = False

    def run(self) -> None:
        while not self.done.is_set():
            victims = spark_session.processes(self.process) if self.is_under_way() else []
            if victims:
                spark_session.kill(victims[-1])
                self.has_killed = True
                return
            time.sleep(0.02)

    def is_under_way(self) -> bool:
        """Whether a stage has tasks that are done and tasks that run."""
        infos = [self.tracker.getStageInfo(stage) for stage in self.tracker.getActiveStageIds()]
        return any(info and info.numActiveTasks > 0 and info.numCompletedTasks > 0 for info in infos)


if __name__ == "__main__":
    unittest.main()
