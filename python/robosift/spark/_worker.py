"""Corpora of a Python worker: each opened once, however many tasks it runs."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _arrow
from .._corpus import Corpus
from .._errors import CorpusError

MANIFEST = "manifest.json"
ROW = "robots_row"

#: Corpora by where they were asked for, and evaluators by what they ask.
_corpora: dict[str, Corpus] = {}
_evaluators: dict[str, Callable[[Any], Any]] = {}

#: How often this process opened a corpus.
num_opened = 0


def corpus_at(location: str) -> Corpus:
    """The corpus at a path, of ``sparkfiles:NAME``, or at a URL."""
    global num_opened
    if location not in _corpora:
        _corpora[location] = Corpus.open(local(location))
        num_opened += 1
    return _corpora[location]


def evaluator(location: str, agents: list[str], arguments: dict[str, Any]) -> Callable[[Any], Any]:
    """Judges batches; the same one for tasks that ask the same."""
    key = repr((location, agents, sorted(arguments.items(), key=lambda item: item[0])))
    if key not in _evaluators:
        from .. import _robosift

        inner = _robosift.Evaluator(corpus_at(location)._inner, agents, **arguments)
        _evaluators[key] = lambda batch: without_row(_arrow.like(batch, inner.evaluate(batch)))
    return _evaluators[key]


def without_row(verdicts: Any) -> Any:
    """Without the position in the input: a partition is none, and Spark knows no other."""
    return verdicts.drop_columns([ROW]) if ROW in verdicts.schema.names else verdicts


def local(location: str) -> str:
    """A path on this node."""
    scheme, colon, name = location.partition(":")
    if scheme == "sparkfiles":
        from pyspark import SparkFiles

        return unpacked(Path(SparkFiles.get(name.lstrip("/"))))
    if colon and "//" in name and scheme != "file":
        return cached(location)
    return location.removeprefix("file://")


def unpacked(folder: Path) -> str:
    """Where an archive was unpacked, the corpus itself: the folder, or the one folder in it."""
    inner = [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    if not (folder / MANIFEST).exists() and len(inner) == 1:
        return str(inner[0])
    return str(folder)


def cached(url: str) -> str:
    """A copy of the corpus at a URL, made by the first process of this node that asks for it."""
    from pyarrow import fs

    store, root = fs.FileSystem.from_uri(url)
    try:
        with store.open_input_stream(f"{root}/{MANIFEST}") as file:
            manifest = file.read()
    except OSError as error:
        raise CorpusError(f"{url} is no built corpus: {error}") from error
    folder = Path(os.environ.get("ROBOSIFT_CACHE") or Path(tempfile.gettempdir()) / "robosift-corpora")
    folder.mkdir(parents=True, exist_ok=True)
    # Another corpus at the same place has another manifest.
    name = hashlib.sha256(url.encode() + b"\0" + manifest).hexdigest()[:32]
    whole = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            copy(store, root, whole)
    return str(whole)


def copy(store: Any, root: str, whole: Path) -> None:
    """Copies all files below ``root``; the folder has its name when it is whole."""
    from pyarrow import fs

    partial = whole.with_suffix(".partial")
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(partial)
    for info in store.get_file_info(fs.FileSelector(root, recursive=True)):
        if info.type == fs.FileType.File:
            to = partial / os.path.relpath(info.path, root)
            to.parent.mkdir(parents=True, exist_ok=True)
            fs.copy_files(info.path, str(to), source_filesystem=store, destination_filesystem=fs.LocalFileSystem())
    partial.rename(whole)
