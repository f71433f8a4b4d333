"""What is asked on each partition. Sent to workers as it is: plain values, no corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import _robosift
from .._corpus import names_of, texts_of
from ._worker import ROW, evaluator

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Request:
    """Corpus, agents, columns, options."""

    corpus: str | PathLike[str]
    agents: str | Sequence[str] | None
    url: str | None
    agent_column: str | None
    origin: str | None
    time: str | None
    keep: str | Sequence[str]
    options: Any

    def arguments(self) -> dict[str, Any]:
        """Those of an evaluator, by name."""
        return {
            "url": self.url,
            "agent_column": self.agent_column,
            "origin": self.origin,
            "time": self.time,
            "keep": names_of(self.keep),
            "options": {"threads": 1, **self.options},
        }

    def schema(self, df: DataFrame) -> list[tuple[Any, Any]]:
        """The fields that come out: those kept as Spark has them, and those of verdicts as Arrow has them. What is wrong with the
        arguments is told here, before anything runs."""
        import pyarrow

        from ._schema import to_arrow

        rows = pyarrow.schema([(field.name, to_arrow(field.dataType)) for field in df.schema.fields])
        asked = _robosift.Evaluator(None, texts_of(self.agents), **self.arguments())
        empty = asked.empty(pyarrow.Table.from_batches([], schema=rows))
        schema = pyarrow.RecordBatchReader.from_stream(empty).schema
        known = {field.name: field for field in df.schema.fields}
        return [(known.get(field.name), field) for field in schema if field.name != ROW]

    def verdicts(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """Runs on a worker: the batches of a partition → their verdicts."""
        judge = evaluator(os.fspath(self.corpus), texts_of(self.agents), self.arguments())
        for batch in batches:
            yield judge(batch)

    def filtering(self, unknown: str) -> Callable[[Iterator[RecordBatch]], Iterator[RecordBatch]]:
        """The same, to leave rows out."""
        return Filter(self, keeps_unknown=unknown == "keep")


@dataclass(frozen=True)
class Filter:
    """Leaves rows out that any agent was refused."""

    request: Request
    keeps_unknown: bool

    def __call__(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        import pyarrow.compute as compute

        request = self.request
        judge = evaluator(os.fspath(request.corpus), texts_of(request.agents), request.arguments())
        for batch in batches:
            kept = None
            for allowed in judge(batch).columns:
                known = compute.fill_null(allowed, self.keeps_unknown)
                kept = known if kept is None else compute.and_(kept, known)
            yield batch.filter(kept)
