"""A corpus built on Spark: in shards by ranges of the SURT order, each by a task of its own."""

from __future__ import annotations

import itertools
import os
import shutil
import uuid
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _arrow, _robosift
from .._corpus import Corpus, skips
from .._errors import ArgumentError, CorpusError

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

#: Redirects that are followed.
HOPS = 5

#: Origins that are looked at to tell where ranges begin, for each shard.
SAMPLE = 200

#: Each shard is some maps of files, of which a process may have 65,530.
MOST_SHARDS = 2_000

#: Columns that a robots table may have, with the names they go by.
NAMES = {
    "origin": ["origin"],
    "url": ["url"],
    "body": ["body"],
    "status": ["status", "fetch_status"],
    "fetch_time": ["fetch_time"],
    "redirect": ["redirect", "fetch_redirect"],
    "content_type": ["content_type", "content_mime_type"],
}

ORDER = "robosift_order"
SHARD = "robosift_shard"
BUILT = "shard int, origins bigint, bodies bigint, captures bigint, captures_without_place bigint, octets bigint, skipped bigint"


@dataclass(frozen=True)
class Plan:
    """What tasks have to know."""

    root: str
    columns: dict[str, str]
    body_limit: int
    texts: bool
    memory: str
    on_error: str

    @property
    def renamed(self) -> str | None:
        """The columns as the library takes them; captures keep the names they have."""
        return ",".join(f"{ours}={theirs}" for ours, theirs in self.columns.items()) or None


def build_corpus(
    df: DataFrame,
    output: str | PathLike[str],
    *,
    shards: int | None = None,
    columns: dict[str, str] | None = None,
    body_limit: int = 512_000,
    texts: bool = True,
    memory: str = "1GiB",
    on_error: str = "fail",
) -> Corpus:
    """Builds a corpus of a DataFrame of captures: ranges of the SURT order, each built by a task, then settled as one.

    Verdicts and rule ids are those of one build of all captures in the order of the DataFrame's partitions.

    :param df: captures, a row each: ``url`` (or ``origin``), ``body``, and if known ``status``, ``fetch_time``, ``redirect``,
        ``content_type``. It is read several times, and has to give the same rows each time: give files, or what was
        written to some.
    :param output: the folder to make, on a file system that driver and workers share.
    :param shards: how many; else as many as Spark shuffles into (``spark.sql.shuffle.partitions``).
    :param columns: columns that go by other names: ``{"body": "response_body"}``.
    :param memory: what each task stays within.
    :param on_error: ``"fail"``, or ``"skip"`` to pass over rows that are no captures.

    What is shuffled: URLs with their redirects, and once all captures, to the shards that they belong to.
    """
    from pyspark.sql import functions as F

    skips(on_error)
    if "://" in os.fspath(output):
        raise ArgumentError(f"{output} is a URL; shards are built on a file system that driver and workers share")
    root = Path(os.path.abspath(output))
    if root.exists():
        raise CorpusError(f"{root} is there already")
    num_shards = int(df.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1) if shards is None else shards
    if not 1 <= num_shards <= MOST_SHARDS:
        raise ArgumentError(f"shards takes a number from 1 to {MOST_SHARDS}, not {num_shards}")
    captures, named = chosen(df, columns or {})
    plan = Plan(str(root), named, body_limit, texts, memory, on_error)
    captures = captures.withColumn(ORDER, F.monotonically_increasing_id())
    light = captures.withColumn("body", F.lit(None).cast("binary")) if "body" in captures.columns else captures
    placed = light.mapInArrow(Locate(plan, []), with_places(light))
    bounds = bounds_of(placed, num_shards)
    placed = light.mapInArrow(Locate(plan, bounds), with_places(light))
    imports = imported(placed)
    whole = captures.mapInArrow(Locate(plan, bounds), with_places(captures))
    # What belongs nowhere has to be counted, or refused, somewhere.
    whole = whole.withColumn(SHARD, F.coalesce(SHARD, F.lit(0)))
    own = whole.withColumn("robosift_imported", F.lit(False))
    foreign = (
        whole.drop(SHARD)
        .join(imports, whole["robosift_url"] == imports["needed_url"])
        .withColumn(SHARD, F.col("needed_by"))
        .drop("needed_by", "needed_url")
        .withColumn("robosift_imported", F.lit(True))
    )
    every = own.unionByName(foreign).drop("robosift_key", "robosift_to", "robosift_to_shard")
    sorted_in = every.repartition(num_shards, SHARD).sortWithinPartitions(SHARD, ORDER)
    # Of this run alone: what an earlier one left, tasks of it that still run included, is in nobody's way.
    work = root.with_name(f"{root.name}.{uuid.uuid4().hex[:12]}.partial")
    work.mkdir(parents=True)
    try:
        plan = replace(plan, root=str(work))
        built = sorted_in.mapInArrow(BuildShards(plan), BUILT).collect()
        for shard in set(range(num_shards)) - {row.shard for row in built}:
            builder(plan, work / name(shard)).finish()
        shutil.rmtree(work / "attempts", ignore_errors=True)
        _robosift.settle_shards(str(work))
        publish(work, root)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    skipped = sum(row.skipped for row in built)
    if skipped:
        warnings.warn(f"{skipped:,} rows were passed over: they are no captures", stacklevel=2)
    return Corpus.open(root)


def publish(work: Path, root: Path) -> None:
    """Gives the corpus its name."""
    try:
        work.rename(root)
    except OSError as error:
        raise CorpusError(f"{root} was made by somebody else meanwhile") from error


def chosen(df: DataFrame, columns: dict[str, str]) -> tuple[DataFrame, dict[str, str]]:
    """The columns that are of use, under the names that the library knows."""
    from pyspark.sql import functions as F

    unknown = [name for name in columns if name not in NAMES]
    if unknown:
        raise ArgumentError(f"`{unknown[0]}` is not a column of captures; there are: {', '.join(NAMES)}")
    found = []
    for ours, names in NAMES.items():
        theirs = columns.get(ours) or next((name for name in names if name in df.columns), None)
        if theirs is not None:
            found.append(F.col(theirs).alias(ours))
    return df.select(*found), {}


def with_places(df: DataFrame) -> Any:
    """The schema with where each capture belongs."""
    from pyspark.sql.types import IntegerType, StringType, StructField, StructType

    kinds = {"robosift_url": StringType(), "robosift_key": StringType(), SHARD: IntegerType(), "robosift_to": StringType()}
    kinds["robosift_to_shard"] = IntegerType()
    return StructType([*df.schema.fields, *(StructField(name, kind, True) for name, kind in kinds.items())])


def bounds_of(placed: DataFrame, num_shards: int) -> list[str]:
    """Where all ranges but the first begin: quantiles of the origins' sort keys."""
    keys = placed.select("robosift_key").where("robosift_key is not null").distinct()
    count = keys.count()
    fraction = min(1.0, SAMPLE * num_shards / max(count, 1))
    sample = keys if fraction == 1.0 else keys.sample(fraction=fraction, seed=1)
    found = sorted((row.robosift_key for row in sample.collect()), key=lambda key: key.encode())
    begins = [found[len(found) * shard // num_shards] for shard in range(1, num_shards)] if found else []
    return sorted(set(begins), key=lambda key: key.encode())


def imported(placed: DataFrame) -> DataFrame:
    """Which shards need the captures of which URLs of other shards: those that redirects lead to, and on from there."""
    from pyspark.sql import functions as F

    edges = placed.where("robosift_to is not null").select(
        F.col("robosift_url").alias("from"),
        F.col("robosift_shard").alias("from_shard"),
        F.col("robosift_to").alias("needed_url"),
        F.col("robosift_to_shard").alias("home"),
    ).distinct()
    edges = edges.localCheckpoint() if hasattr(edges, "localCheckpoint") else edges
    step = edges.where("home <> from_shard").select(F.col("from_shard").alias("needed_by"), "needed_url").distinct()
    needed = step
    for _ in range(HOPS):
        step = (
            step.withColumnRenamed("needed_url", "from")
            .join(edges, "from")
            .where("home <> needed_by")
            .select("needed_by", "needed_url")
            .distinct()
            .localCheckpoint()
        )
        needed = needed.union(step)
        if step.isEmpty():
            break
    return needed.distinct()


@dataclass(frozen=True)
class Locate:
    """Adds to captures where they belong."""

    plan: Plan
    bounds: list[str]

    def __call__(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        pyarrow = _arrow.pyarrow()
        for batch in batches:
            stream = _robosift.locate_captures(batch, columns=self.plan.renamed, bounds=self.bounds)
            places = _arrow.one_batch(pyarrow.RecordBatchReader.from_stream(stream))
            schema = pyarrow.schema([*batch.schema, *places.schema])
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *places.columns], schema=schema)


@dataclass(frozen=True)
class BuildShards:
    """Builds the shards of a partition, whose rows come shard by shard."""

    plan: Plan

    def __call__(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        pyarrow = _arrow.pyarrow()
        pieces = itertools.chain.from_iterable(map(by_shard, batches))
        for shard, of_shard in itertools.groupby(pieces, key=lambda piece: piece[0]):
            counts = self.build(shard, (piece for _, piece in of_shard))
            row = {"shard": pyarrow.array([shard], pyarrow.int32())}
            row.update({name: pyarrow.array([count], pyarrow.int64()) for name, count in counts.items()})
            yield pyarrow.record_batch(row)

    def build(self, shard: int, pieces: Iterator[RecordBatch]) -> dict[str, int]:
        """Builds one: under the name of this attempt, so that one that died or runs twice is in nobody's way."""
        attempt = Path(self.plan.root) / "attempts" / attempt_name()
        attempt.mkdir(parents=True, exist_ok=True)
        building = builder(self.plan, attempt / name(shard))
        skipped = sum(building.add(piece) for piece in pieces)
        counts = {**building.finish(), "skipped": skipped}
        built, place = attempt / name(shard), Path(self.plan.root) / name(shard)
        try:
            built.rename(place)
        except OSError:
            # Another attempt was first; the same rows make the same shard.
            if not place.exists():
                raise
            if Corpus.open(place).fingerprint != Corpus.open(built).fingerprint:
                raise CorpusError("rows of the DataFrame are not the same at each reading: write them to files first") from None
            shutil.rmtree(attempt, ignore_errors=True)
        return counts


def builder(plan: Plan, output: Path) -> Any:
    """A shard under way."""
    return _robosift.ShardBuilder(
        str(output),
        columns=plan.renamed,
        body_limit=plan.body_limit,
        texts=plan.texts,
        memory=plan.memory,
        skip_damaged=skips(plan.on_error),
    )


def name(shard: int) -> str:
    """The folder of a shard."""
    return f"shard-{shard:05}"


def attempt_name() -> str:
    """Tells attempts of tasks apart."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return f"{context.taskAttemptId()}" if context else "driver"


def by_shard(batch: RecordBatch) -> Iterator[tuple[int, RecordBatch]]:
    """A batch whose rows come shard by shard, in pieces of one shard each."""
    shards = batch.column(SHARD).to_pylist()
    start = 0
    for shard, rows in itertools.groupby(shards):
        length = sum(1 for _ in rows)
        yield shard, batch.slice(start, length)
        start += length
