"""Corpora in an object store: a server of S3's protocol on this machine, and workers that copy from it."""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from pyarrow import fs

import robosift
from robosift.spark import _worker

ROBOTS = Path(__file__).resolve().parents[2] / "data/demo/robots.jsonl"


def copied(url: str, cache: str) -> str:
    """Where another process finds the copy."""
    os.environ["ROBOSIFT_CACHE"] = cache
    return _worker.cached(url)


class InAnObjectStore(unittest.TestCase):
    """A bucket with the demo's corpus."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="robosift-store-")
        cls.corpus = robosift.Corpus.build(ROBOTS, Path(cls.folder.name) / "demo.corpus")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(port)
        cls.where = f"scheme=http&endpoint_override=127.0.0.1:{port}&region=us-east-1&allow_bucket_creation=true"
        cls.url = f"s3://key:secret@crawls/2026/demo.corpus?{cls.where}"
        store, root = fs.FileSystem.from_uri(cls.url)
        store.create_dir("crawls")
        fs.copy_files(cls.corpus.path, root, source_filesystem=fs.LocalFileSystem(), destination_filesystem=store)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.terminate()
        cls.server.wait()
        cls.folder.cleanup()

    def setUp(self) -> None:
        cache = tempfile.TemporaryDirectory(prefix="robosift-cache-")
        self.addCleanup(cache.cleanup)
        self.cache = Path(cache.name)
        os.environ["ROBOSIFT_CACHE"] = cache.name
        self.addCleanup(os.environ.pop, "ROBOSIFT_CACHE", None)

    def folders(self) -> list[str]:
        return [path.name for path in self.cache.iterdir() if path.is_dir()]

    def test_a_copy_has_all_files_and_is_made_once(self) -> None:
        first = Path(_worker.cached(self.url))
        ours, theirs = ({path.name: path.read_bytes() for path in Path(folder).iterdir()} for folder in (first, self.corpus.path))
        self.assertEqual(ours, theirs)
        self.assertEqual(robosift.Corpus.open(first).fingerprint, self.corpus.fingerprint)
        marked = first / "manifest.json"
        os.utime(marked, (1, 1))
        self.assertEqual(_worker.cached(self.url), str(first))
        self.assertEqual(marked.stat().st_mtime, 1)
        self.assertEqual(self.folders(), [first.name])

    def test_processes_that_ask_at_the_same_time_share_one_copy(self) -> None:
        with multiprocessing.get_context("spawn").Pool(3) as pool:
            paths = set(pool.starmap(copied, [(self.url, str(self.cache))] * 3))
        self.assertEqual(len(paths), 1)
        self.assertEqual(self.folders(), [Path(paths.pop()).name])

    def test_a_copy_that_was_cut_off_is_made_anew(self) -> None:
        whole = Path(_worker.cached(self.url))
        whole.rename(whole.with_suffix(".partial"))
        (whole.with_suffix(".partial") / "origins.arrow").write_bytes(b"half")
        again = Path(_worker.cached(self.url))
        self.assertEqual(robosift.Corpus.open(again).fingerprint, self.corpus.fingerprint)
        self.assertEqual(self.folders(), [whole.name])

    def test_another_corpus_at_the_same_place_is_another_copy(self) -> None:
        store, root = fs.FileSystem.from_uri(f"s3://key:secret@crawls/changing?{self.where}")
        paths = []
        for body in ("User-agent: *", "User-agent: *\nDisallow: /"):
            robots = self.cache / "robots.txt"
            robots.write_text(body)
            with tempfile.TemporaryDirectory() as made:
                built = robosift.Corpus.build(robots, f"{made}/c", origin="https://a.example")
                fs.copy_files(built.path, root, source_filesystem=fs.LocalFileSystem(), destination_filesystem=store)
                paths.append(Path(_worker.cached(f"s3://key:secret@crawls/changing?{self.where}")))
                self.assertEqual(robosift.Corpus.open(paths[-1]).fingerprint, built.fingerprint)
        self.assertNotEqual(*paths)

    def test_what_is_no_corpus_is_told(self) -> None:
        with self.assertRaisesRegex(robosift.CorpusError, "is no built corpus"):
            _worker.cached(f"s3://key:secret@crawls/nothing?{self.where}")
        self.assertEqual(self.folders(), [])


def wait_for(port: int) -> None:
    """Until somebody listens."""
    for _ in range(600):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nobody listens at port {port}")


if __name__ == "__main__":
    unittest.main()
