"""What judging costs on Spark: CPU time of our code against that of the whole job, and against a plain Python UDF with protego.

    python python/benches/spark.py ROWS_FOLDER CORPUS ROBOTS.parquet [ROWS_FOR_PROTEGO]

Real executors and Python workers on this machine; CPU time is that of all their processes, from /proc. Needs a wheel built with --release, pyspark,
and protego for the comparison, which gets fewer rows of the same files (its verdicts have to agree where both read a file alike).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import spark_session  # noqa: E402

import robosift.spark  # noqa: E402
from robosift.spark._request import Request  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """Of all processes below this one, the dead ones that were waited for included."""
    total = 0
    for pid in {os.getpid(), *spark_session.processes("")}:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


class Timed:
    """Judges a partition, and tells what that took."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = taken = 0
        source = iter(batches)
        while True:
            batch = next(source, None)
            if batch is None:
                break
            start = time.process_time_ns()
            for verdicts in self.request.verdicts(iter([batch])):
                rows += verdicts.num_rows
            taken += time.process_time_ns() - start
        yield pa.record_batch({"rows": pa.array([rows]), "ns": pa.array([taken])})


def measured(name: str, rows: int, run: Any) -> float:
    """Runs a job; prints and gives its CPU time a row, in nanoseconds."""
    run()
    before, clock = cpu_seconds(), time.monotonic()
    run()
    per_row = (cpu_seconds() - before) * 1e9 / rows
    print(f"{name}: {per_row:,.0f} ns of CPU a row, {time.monotonic() - clock:.1f} s")
    return per_row


def protego_udf(robots: str) -> Any:
    """A UDF as one writes it: a parser for each origin, kept once it was made."""
    import pyarrow.parquet as pq
    from pyspark.sql.functions import udf
    from pyspark.sql.types import BooleanType

    table = pq.read_table(robots, columns=["origin", "body", "status"])
    bodies = {  # sent to each worker
        origin: body
        for origin, body, status in zip(*(table[name].to_pylist() for name in ("origin", "body", "status")))
        if status == 200 and body is not None
    }
    parsers: dict[str, Any] = {}

    @udf(returnType=BooleanType())
    def allowed(url):  # type: ignore[no-untyped-def]
        from urllib.parse import urlsplit

        from protego import Protego

        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in bodies:
            return None
        if origin not in parsers:
            body = bodies[origin]
            parsers[origin] = Protego.parse(body.decode("utf-8", "replace") if isinstance(body, bytes) else body)
        return bool(parsers[origin].can_fetch(url, "GPTBot"))

    return allowed


def main() -> None:
    folder, corpus, robots, *rest = sys.argv[1:]
    few = int(rest[0]) if rest else 200_000
    spark = spark_session.start()
    rows = spark.read.parquet(folder).select("url")
    count = rows.count()
    noop = lambda df: df.write.format("noop").mode("overwrite").save()  # noqa: E731
    measured("reading alone", count, lambda: noop(rows))
    through = measured("through Python and back, unjudged", count, lambda: noop(rows.mapInArrow(lambda batches: batches, rows.schema)))
    whole = measured("judged", count, lambda: noop(robosift.spark.evaluate(rows, corpus=corpus, agents="GPTBot")))
    request = Request(corpus, "GPTBot", None, None, None, None, "all", {})
    told = rows.mapInArrow(Timed(request), "rows bigint, ns bigint").collect()
    judging = sum(row.ns for row in told) / sum(row.rows for row in told)
    print(f"in our code: {judging:,.0f} ns a row, {judging / whole:.0%} of the job; judging adds {whole - through:,.0f} ns to what passes through Python")
    if robots:
        allowed = protego_udf(robots)
        some = rows.limit(few).repartition(4).localCheckpoint()
        udf = measured("protego in a UDF", few, lambda: noop(some.select("url", allowed("url"))))
        ours = measured("robosift on the same rows", few, lambda: noop(robosift.spark.evaluate(some, corpus=corpus, agents="GPTBot")))
        base = measured("the same rows, unjudged", few, lambda: noop(some))
        print(f"{udf / ours:.0f} times the CPU of the whole job, {(udf - base) / judging:.0f} times that of judging alone")
    spark.stop()


if __name__ == "__main__":
    main()
