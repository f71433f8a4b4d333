"""Corpora of a Python worker: each opened once, however many tasks it runs."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
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

#: Corpora and evaluators that are kept.
MOST_CORPORA = 8
MOST_EVALUATORS = 16

#: Corpora by where they are and what they are, and evaluators by what they ask of it.
_corpora: dict[tuple[str, bytes], Corpus] = {}
_evaluators: dict[str, Callable[[Any], Any]] = {}

#: How often this process opened the corpus at a place.
times_opened: dict[str, int] = {}


def corpus_at(location: str) -> Corpus:
    """The corpus at a path, of ``sparkfiles:NAME``, or at a URL. A worker lives on from job to job: what is there now is another one where
    its manifest is."""
    path = local(location)
    key = (location, manifest_of(path))
    if key not in _corpora:
        replaced = [known for known in _corpora if known[0] == location or len(_corpora) >= MOST_CORPORA]
        for known in replaced:
            del _corpora[known]
            # They hold on to it.
            _evaluators.clear()
        _corpora[key] = Corpus.open(path)
        times_opened[location] = times_opened.get(location, 0) + 1
    return _corpora[key]


def manifest_of(path: str) -> bytes:
    """What tells corpora apart."""
    try:
        return (Path(path) / MANIFEST).read_bytes()
    except OSError:
        return b""


def evaluator(location: str, agents: list[str], arguments: dict[str, Any]) -> Callable[[Any], Any]:
    """Judges batches; the same one for tasks that ask the same."""
    corpus = corpus_at(location)
    registry = arguments["options"].get("registry")
    known = Path(registry).read_bytes() if registry else b""
    key = repr((location, corpus.fingerprint, agents, sorted(arguments.items(), key=lambda item: item[0]), known))
    if key not in _evaluators:
        from .. import _robosift

        inner = _robosift.Evaluator(corpus._inner, agents, **arguments)
        if len(_evaluators) >= MOST_EVALUATORS:
            _evaluators.clear()
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
    if scheme == "file":
        return name if not name.startswith("//") else name[2:]
    if colon and name.startswith("//"):
        return cached(location)
    return location


def unpacked(folder: Path) -> str:
    """Where an archive was unpacked, the corpus itself: the folder, or the one folder in it."""
    inner = [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    if not (folder / MANIFEST).exists() and len(inner) == 1:
        return str(inner[0])
    return str(folder)


def cached(url: str) -> str:
    """A copy of the corpus at a URL, made by the first process of this node that asks for it."""
    from pyarrow import fs

    # Hadoop's names for what is one store.
    known = re.sub("^s3[an]:", "s3:", url.rstrip("/"))
    try:
        store, root = fs.FileSystem.from_uri(known)
    except (ValueError, NotImplementedError) as error:
        raise CorpusError(f"{url} is no store that can be read: {error}") from error
    try:
        with store.open_input_stream(f"{root}/{MANIFEST}") as file:
            manifest = file.read()
    except OSError as error:
        raise CorpusError(f"{url} is no built corpus: {error}") from error
    folder = cache_folder()
    # Another corpus at the same place has another manifest.
    name = hashlib.sha256(known.encode() + b"\0" + manifest).hexdigest()[:32]
    whole = folder / name
    with (folder / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            copy(store, root, whole)
    return str(whole)


def cache_folder() -> Path:
    """Where copies are kept: a folder that nobody else can write to."""
    given = os.environ.get("ROBOSIFT_CACHE")
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f"robosift-corpora-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():
        raise CorpusError(f"{folder} belongs to somebody else; set ROBOSIFT_CACHE to a folder of your own")
    return folder


def copy(store: Any, root: str, whole: Path) -> None:
    """Copies all files below ``root``; the folder has its name when it is whole."""
    from pyarrow import fs

    partial = whole.with_suffix(".partial")
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(partial)
    for info in store.get_file_info(fs.FileSelector(root, recursive=True)):
        if info.type == fs.FileType.File:
            name = os.path.relpath(info.path, root)
            if name.startswith("..") or os.path.isabs(name):
                raise CorpusError(f"{root} lists a file outside of it: {info.path}")
            to = partial / name
            to.parent.mkdir(parents=True, exist_ok=True)
            fs.copy_files(info.path, str(to), source_filesystem=store, destination_filesystem=fs.LocalFileSystem())
    check_whole(root, partial)
    partial.rename(whole)


def check_whole(root: str, folder: Path) -> None:
    """Whether all files that manifests name are there as long as they say: a corpus may have been on its way to the store yet."""
    for manifest in folder.rglob(MANIFEST):
        inner = json.loads(manifest.read_bytes())["manifest"]
        for name, file in inner["files"].items():
            path = manifest.parent / name
            if not path.is_file() or path.stat().st_size != file["len"]:
                raise CorpusError(f"{root} is not whole: {path.relative_to(folder)} is missing or cut off")
