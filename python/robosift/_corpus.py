"""Built corpora, and rows judged by them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _arrow, _robosift
from ._errors import ArgumentError
from ._options import Options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Corpus:
    """A built corpus of robots.txt captures: what each origin said at each time, compiled.

    Opening one takes no time that grows with its size: files are mapped, and read where rows need them. A corpus can be sent to other
    processes: its path is, not its data.

    >>> import robosift
    >>> corpus = robosift.Corpus.build("data/demo/robots.jsonl", demo / "python.corpus")
    >>> corpus.info["origins"]
    55
    """

    _inner: _robosift.Corpus

    def __init__(self, path: str | PathLike[str]) -> None:
        self._inner = _robosift.Corpus(path)

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Self:
        """Opens the corpus in a folder: one built by this class or by ``robosift corpus build``, whole or in shards.

        :raises CorpusError: where there is none, or a damaged one.

        >>> import robosift
        >>> corpus = robosift.Corpus.open(demo / "demo.corpus")
        """
        return cls(path)

    @classmethod
    def build(
        cls,
        sources: str | PathLike[str] | Iterable[str | PathLike[str]],
        output: str | PathLike[str],
        *,
        origin: str | None = None,
        columns: dict[str, str] | None = None,
        body_limit: int = 512_000,
        texts: bool = True,
        memory: str | None = None,
        threads: int = 0,
        on_error: str = "fail",
        resume: bool = False,
    ) -> Self:
        """Builds a corpus from captures and opens it.

        :param sources: archives (``.warc.gz`` …), tables (``.parquet``, ``.jsonl``, ``.csv``), folders, globs, lists of paths, built
            corpora; one or several.
        :param output: the folder to make; it must not be there.
        :param origin: whose robots.txt a single file is.
        :param columns: columns of tables that go by other names: ``{"body": "response.body"}``.
        :param body_limit: octets of a body that are read as rules; 0 is all.
        :param texts: keep the texts of bodies, for ``explain``, merging, and other limits.
        :param memory: what to stay within: ``"2GiB"``.
        :param threads: threads to build on; 0 is one for each core.
        :param on_error: ``"fail"``, or ``"skip"`` to pass over damaged files.
        :param resume: take up a build again that was cut off.
        :raises CorpusError: sources that cannot be read, an output that is there.
        """
        several = [sources] if isinstance(sources, (str, PathLike)) else list(sources)
        renamed = ",".join(f"{ours}={theirs}" for ours, theirs in (columns or {}).items())
        _robosift.build_corpus(
            [os.fspath(source) for source in several],
            os.fspath(output),
            origin=origin,
            columns=renamed or None,
            body_limit=body_limit,
            texts=texts,
            memory=memory,
            threads=threads,
            skip_damaged=skips(on_error),
            resume=resume,
        )
        return cls(output)

    @property
    def path(self) -> str:
        """Its folder, absolute."""
        return os.fspath(self._inner.path)

    @property
    def info(self) -> dict[str, Any]:
        """What it says of itself: counts, dialects, limit, fingerprint."""
        return self._inner.info

    @property
    def fingerprint(self) -> str:
        """Tells corpora of different captures apart."""
        fingerprint: str = self.info["fingerprint"]
        return fingerprint

    def __repr__(self) -> str:
        return f"robosift.Corpus.open({self.path!r})"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (type(self).open, (self.path,))

    def evaluator(
        self,
        *,
        agents: str | Sequence[str] | None = None,
        url: str | None = None,
        agent_column: str | None = None,
        origin: str | None = None,
        time: str | None = None,
        keep: str | Sequence[str] | None = None,
        **options: Unpack[Options],
    ) -> Evaluator:
        """What is asked of this corpus, for many batches one after the other: what was found out for one serves the next.

        The arguments are those of :meth:`evaluate`.
        """
        return Evaluator(
            self,
            agents=agents,
            url=url,
            agent_column=agent_column,
            origin=origin,
            time=time,
            keep=keep,
            **options,
        )

    def evaluate(
        self,
        data: Any,
        *,
        agents: str | Sequence[str] | None = None,
        url: str | None = None,
        agent_column: str | None = None,
        origin: str | None = None,
        time: str | None = None,
        keep: str | Sequence[str] | None = None,
        **options: Unpack[Options],
    ) -> Any:
        """Verdict columns for rows, one row for each, in their order.

        :param data: anything that speaks the Arrow C stream interface: pyarrow Table, RecordBatch, RecordBatchReader, polars DataFrame,
            DuckDB relation … Nothing is copied, and other Python threads run meanwhile.
        :param agents: product tokens, identification strings, ``"*"``, sets as ``"@ai-training"``; one or several.
        :param url: the column with the URLs; else the first present of ``url``, ``u``, ``metadata.url``.
        :param agent_column: the column in which each row names its agent, instead of ``agents``.
        :param origin: the column with the origins, where the URL column holds paths.
        :param time: the column with the time of each row; else, where one is needed, the first present of ``fetch_time``, ``date``,
            ``timestamp``, ``metadata.date``.
        :param keep: columns of the rows to give in front of the verdicts: ``"all"``, or names.
        :param options: how to judge, and which columns to give: see :class:`Options`.
        :returns: what came in: Table for Table, RecordBatch for RecordBatch, RecordBatchReader for RecordBatchReader, polars DataFrame
            for polars DataFrame; for all others a pyarrow RecordBatchReader, read as it comes.
        :raises ArgumentError: an option or an agent that is none.
        :raises RowsError: a missing or mistyped column.
        :raises CorpusError: a corpus that is damaged where rows needed it. What goes wrong while a reader is read comes out as that
            reader's own exception, ``pyarrow.ArrowInvalid`` with the same text.

        >>> import pyarrow as pa, robosift
        >>> corpus = robosift.Corpus.open(demo / "demo.corpus")
        >>> rows = pa.table({"url": ["https://news.example/a", "not a URL"]})
        >>> corpus.evaluate(rows, agents="GPTBot").column_names
        ['robots_allowed', 'robots_basis', 'robots_rule_id', 'robots_group']
        >>> corpus.evaluate(rows, agents=["GPTBot", "CCBot"], columns="allowed").column_names
        ['robots_allowed_gptbot', 'robots_allowed_ccbot']
        """
        evaluator = self.evaluator(
            agents=agents,
            url=url,
            agent_column=agent_column,
            origin=origin,
            time=time,
            keep=keep,
            **options,
        )
        return evaluator(data)

    def explain(
        self,
        url: str,
        agent: str | Sequence[str],
        *,
        at: str | None = None,
        **options: Unpack[Options],
    ) -> dict[str, Any]:
        """Why the verdict on one URL is what it is: the object that ``robosift explain --json`` prints.

        :param url: the URL.
        :param agent: one agent or several.
        :param at: the time of the question, as of which the corpus is asked.

        >>> import robosift
        >>> corpus = robosift.Corpus.open(demo / "demo.corpus")
        >>> told = corpus.explain("https://news.example/a", "GPTBot")
        >>> told["agents"][0]["basis"]
        'no_capture'
        """
        told: dict[str, Any] = json.loads(
            self._inner.explain(url, texts_of(agent), at=at, options=dict(options))
        )
        return told


class Evaluator:
    """What is asked of a corpus; called with rows, it gives verdicts. See :meth:`Corpus.evaluate`.

    >>> import pyarrow as pa, robosift
    >>> judge = robosift.Corpus.open(demo / "demo.corpus").evaluator(agents="CCBot")
    >>> batch = pa.record_batch({"url": ["https://nowhere.example/"]})
    >>> judge(batch).to_pylist()[0]["robots_basis"]
    'no_capture'
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        agents: str | Sequence[str] | None = None,
        url: str | None = None,
        agent_column: str | None = None,
        origin: str | None = None,
        time: str | None = None,
        keep: str | Sequence[str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._arguments = {
            "agents": agents,
            "url": url,
            "agent_column": agent_column,
            "origin": origin,
            "time": time,
            "keep": keep,
            **options,
        }
        self.corpus = corpus
        self._inner = _robosift.Evaluator(
            corpus._inner,
            texts_of(agents),
            url=url,
            agent_column=agent_column,
            origin=origin,
            time=time,
            keep=names_of(keep),
            options=dict(options),
        )

    def __call__(self, data: Any) -> Any:
        """Verdicts for rows: those that are all there are judged at once, a stream as it is read."""
        rows = _arrow.stream_of(data)
        judge = self._inner.evaluate if _arrow.is_whole(data) else self._inner.stream
        return _arrow.like(data, judge(rows))

    def schema(self, rows: Any) -> Any:
        """The pyarrow schema of the verdicts on rows of this pyarrow schema."""
        pyarrow = _arrow.pyarrow()
        empty = self._inner.empty(pyarrow.Table.from_batches([], schema=rows))
        return pyarrow.RecordBatchReader.from_stream(empty).schema

    def __reduce__(self) -> tuple[Any, tuple[Corpus, dict[str, Any]]]:
        return (_evaluator, (self.corpus, self._arguments))


def _evaluator(corpus: Corpus, arguments: dict[str, Any]) -> Evaluator:
    return Evaluator(corpus, **arguments)


def texts_of(given: str | Sequence[str] | None) -> list[str]:
    """One text, several, or none."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def names_of(given: str | Sequence[str] | None) -> list[str] | None:
    """Names of columns: one text, in which commas separate them, or several."""
    if isinstance(given, str):
        return [name.strip() for name in given.split(",") if name.strip()]
    if given is not None and not isinstance(given, Iterable):
        raise ArgumentError("keep takes \"none\", \"all\" or names of columns")
    return None if given is None else list(given)


def skips(on_error: str) -> bool:
    """Whether damaged files are passed over."""
    if on_error not in ("fail", "skip"):
        raise ArgumentError(f"on_error takes 'fail' or 'skip', not {on_error!r}")
    return on_error == "skip"
