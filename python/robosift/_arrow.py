"""Rows of any library in; verdicts as the same library has them out. No library is needed before one is used."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import Error, RowsError


def library(rows: object) -> str:
    """The library that an object is of: the first part of its class's module."""
    return type(rows).__module__.partition(".")[0]


def pyarrow() -> Any:
    """The module pyarrow, for what nothing else can take."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as missing:
        message = "verdicts are given as pyarrow tables here: pip install pyarrow (or robosift[pyarrow])"
        raise Error(message) from missing


def like(rows: object, stream: Any) -> Any:
    """Verdicts in the form that ``rows`` have.

    ===================================== ===============================================
    rows                                  verdicts
    ===================================== ===============================================
    pyarrow Table, RecordBatch, and       the same
    RecordBatchReader (read as they come)
    polars DataFrame                      polars DataFrame
    all others                            pyarrow RecordBatchReader, read as it comes
    ===================================== ===============================================
    """
    kind = type(rows).__name__
    if library(rows) == "polars":
        return importlib.import_module("polars").DataFrame(stream)
    reader = pyarrow().RecordBatchReader.from_stream(stream)
    if library(rows) == "pyarrow" and kind == "Table":
        return reader.read_all()
    if library(rows) == "pyarrow" and kind == "RecordBatch":
        return one_batch(reader)
    return reader


def one_batch(reader: Any) -> Any:
    """All batches of a reader as one."""
    batches = list(reader)
    if len(batches) == 1:
        return batches[0]
    whole = pyarrow().Table.from_batches(batches, schema=reader.schema).combine_chunks().to_batches()
    if len(whole) > 1:
        raise RowsError("the texts of one batch would take over 2 GiB: give a Table, or smaller batches")
    return whole[0] if whole else pyarrow().RecordBatch.from_pylist([], schema=reader.schema)


def is_whole(rows: object) -> bool:
    """Whether all rows are there already, so that they can be judged at once."""
    return (library(rows), type(rows).__name__) in {
        ("pyarrow", "Table"),
        ("pyarrow", "RecordBatch"),
        ("polars", "DataFrame"),
    }


def stream_of(rows: object) -> Any:
    """What is to be read: an object with ``__arrow_c_stream__``."""
    if library(rows) == "polars" and type(rows).__name__ == "LazyFrame":
        raise RowsError("a polars LazyFrame has no rows yet: use collect(), or map_batches (docs/RECIPES.md)")
    if library(rows) == "pyarrow" and not hasattr(rows, "__arrow_c_stream__") and hasattr(rows, "scanner"):
        return rows.scanner().to_reader()
    if library(rows) == "pyarrow" and type(rows).__name__ == "RecordBatchReader":
        return checked(rows)
    if not hasattr(rows, "__arrow_c_stream__") and hasattr(rows, "fetch_arrow_reader"):
        # DuckDB's relations: a bare stream would be used up when its schema is asked for.
        return rows.fetch_arrow_reader()
    if library(rows) in {"duckdb", "_duckdb"}:
        return rows.to_arrow_reader() if hasattr(rows, "to_arrow_reader") else rows.fetch_arrow_reader()  # type: ignore[attr-defined]
    return rows


def checked(reader: Any) -> Any:
    """The same reader, whose batches are compared with its schema: one made of a generator gives whatever that gives, and what a column is not
    would be read as what it is said to be."""

    def batches() -> Any:
        for batch in reader:
            if not batch.schema.equals(reader.schema):
                raise RowsError(f"a batch is of another schema than its reader says: {batch.schema.names}, {batch.schema.types}")
            yield batch

    return pyarrow().RecordBatchReader.from_batches(reader.schema, batches())
