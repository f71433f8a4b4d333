"""Verdicts for DataFrames of Spark 3.5 and 4: partitions pass through ``mapInArrow``, nothing is shuffled.

Each Python worker opens the corpus once, from a path that all nodes see, from an archive given to ``SparkContext.addArchive``, or from an
object store, of which it keeps a copy on the node (see :func:`evaluate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from .._errors import ArgumentError
from .._options import Options
from ._build import build_corpus
from ._request import Request
from ._schema import of_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

__all__ = ["build_corpus", "evaluate", "filter"]


def evaluate(
    df: DataFrame,
    *,
    corpus: str | PathLike[str],
    agents: str | Sequence[str] | None = None,
    url: str | None = None,
    agent_column: str | None = None,
    origin: str | None = None,
    time: str | None = None,
    keep: str | Sequence[str] = "all",
    **options: Unpack[Options],
) -> DataFrame:
    """Adds verdict columns to a DataFrame.

    :param df: rows with a column of URLs. Select what is needed first: all columns pass through Python.
    :param corpus: where workers find the built corpus, whole or in shards: a path; ``sparkfiles:NAME`` for an archive given to
        ``SparkContext.addArchive("corpus.tar.gz#NAME")``; or a URL of an object store (``s3://``, ``gs://``, ``hdfs://``), which is copied to
        ``ROBOSIFT_CACHE`` (else the system's temporary folder) once on each node.
    :param keep: columns of the rows to give in front of the verdicts: ``"all"``, ``"none"`` or names.
    :param options: and all others: see :meth:`robosift.Corpus.evaluate`. ``threads`` is 1 unless given: Spark gives each task a core.
    :returns: a DataFrame, evaluated when Spark needs it. Its schema follows from the arguments alone. There is no ``robots_row``: rows
        of a DataFrame have no position.
    """
    request = Request(
        corpus=corpus,
        agents=agents,
        url=url,
        agent_column=agent_column,
        origin=origin,
        time=time,
        keep=keep,
        options=options,
    )
    return df.mapInArrow(request.verdicts, of_arrow(request.schema(df)))


def filter(
    df: DataFrame,
    *,
    corpus: str | PathLike[str],
    agents: str | Sequence[str],
    unknown: Literal["keep", "drop"],
    url: str | None = None,
    origin: str | None = None,
    time: str | None = None,
    **options: Unpack[Options],
) -> DataFrame:
    """Leaves out the rows that any of the agents was refused.

    :param unknown: what becomes of rows on which the corpus has no verdict, ``"keep"`` or ``"drop"``: there is no default, because either
        one decides what a study or a dataset says.

    All others as for :func:`evaluate`.
    """
    if unknown not in ("keep", "drop"):
        raise ArgumentError(f"unknown takes 'keep' or 'drop', not {unknown!r}")
    asked: Any = {**options, "columns": "allowed", "layout": "wide", "suffix": "always"}
    request = Request(
        corpus=corpus,
        agents=agents,
        url=url,
        agent_column=None,
        origin=origin,
        time=time,
        keep="none",
        options=asked,
    )
    request.schema(df)
    return df.mapInArrow(request.filtering(unknown), df.schema)
