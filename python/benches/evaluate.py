"""What the wheel adds to the batch call: CPU time of the same rows, judged by both in turn, on one thread.

    cargo bench --bench batch --no-run            # gives the path of the program BATCH
    python python/benches/evaluate.py BATCH ROWS.parquet CORPUS [AGENT]

Needs a wheel built with --release. Prints nanoseconds a row, the least of the runs, and their ratio; the counts of allowed rows have to agree.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import robosift

ROUNDS = 5
BATCH_ROWS = 1 << 16


def rust(program: str, rows: str, corpus: str, agent: str) -> tuple[int, float]:
    """Allowed rows and nanoseconds a row."""
    told = subprocess.run([program, rows, corpus, agent], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+) allowed, ([\d.]+) ns", told)
    assert found, told
    return int(found[1]), float(found[2])


def python(table: pa.Table, corpus: robosift.Corpus, agent: str) -> tuple[int, float]:
    """The same by the wheel."""
    start = time.process_time_ns()
    verdicts = corpus.evaluate(table, agents=agent, threads=1)
    taken = time.process_time_ns() - start
    return pc.sum(verdicts["robots_allowed"]).as_py(), taken / table.num_rows


def main() -> None:
    program, rows, path, *rest = sys.argv[1:]
    agent = rest[0] if rest else "GPTBot"
    table = pa.Table.from_batches(pq.ParquetFile(rows).iter_batches(BATCH_ROWS, columns=["url"]))
    corpus = robosift.Corpus.open(path)
    least = {"rust": float("inf"), "python": float("inf")}
    for _ in range(ROUNDS):
        (allowed, ours), (again, theirs) = python(table, corpus, agent), rust(program, rows, path, agent)
        assert allowed == again, (allowed, again)
        least = {"rust": min(least["rust"], theirs), "python": min(least["python"], ours)}
    ratio = least["python"] / least["rust"]
    print(f"{table.num_rows:,} rows: batch call {least['rust']:.1f} ns, wheel {least['python']:.1f} ns: {ratio:.2f} times")


if __name__ == "__main__":
    main()
