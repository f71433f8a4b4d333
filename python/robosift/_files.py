"""Rows in Parquet files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _robosift
from ._corpus import Corpus, names_of, skips, texts_of
from ._options import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack


def eval_files(
    rows: str | PathLike[str] | Iterable[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    corpus: Corpus | str | PathLike[str],
    agents: str | Sequence[str] | None = None,
    url: str | None = None,
    agent_column: str | None = None,
    origin: str | None = None,
    time: str | None = None,
    keep: str | Sequence[str] | None = None,
    compression: str = "zstd",
    memory: str | None = None,
    on_error: str = "fail",
    resume: bool = False,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Writes verdict columns for the rows of Parquet files, as ``robosift eval`` does.

    :param rows: Parquet files; folders and globs take all files in them.
    :param output: the file to write where there is one input file, else a folder that mirrors the inputs. A file is there whole or not
        at all; row N of it is row N of its input.
    :param corpus: a built corpus, or its path.
    :param compression: ``"zstd"``, ``"snappy"``, ``"lz4"`` or ``"none"``.
    :param memory: for rows and verdicts in flight: ``"256MiB"``.
    :param on_error: ``"fail"``, or ``"skip"`` to leave damaged files out.
    :param resume: keep outputs that are whole already.
    :param options: and all others: see :meth:`Corpus.evaluate`.
    :returns: counts: ``rows``, ``files``, ``row_groups``, ``octets_read``, ``octets_written``, ``kept_files``, ``kept_rows``, ``skipped``.
    :raises FilesError: an input that is damaged, an output that cannot be written.

    >>> import robosift
    >>> counts = robosift.eval_files(
    ...     "data/demo/rows.parquet", demo / "verdicts.parquet", corpus=demo / "demo.corpus", agents="GPTBot"
    ... )
    >>> counts["files"], counts["skipped"]
    (1, [])
    """
    several = [rows] if isinstance(rows, (str, PathLike)) else list(rows)
    opened = corpus if isinstance(corpus, Corpus) else Corpus.open(corpus)
    return _robosift.eval_files(
        [os.fspath(path) for path in several],
        os.fspath(output),
        opened._inner,
        texts_of(agents),
        url=url,
        agent_column=agent_column,
        origin=origin,
        time=time,
        keep=names_of(keep),
        compression=compression,
        memory=memory,
        skip_damaged=skips(on_error),
        resume=resume,
        options=dict(options),
    )
