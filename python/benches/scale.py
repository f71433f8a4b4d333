"""What billions of rows take on a cluster: what one process touches of a corpus, measured; and the paper part of docs/SCALE.md.

    python python/benches/scale.py ROWS.parquet CORPUS          # rows sorted by origin; prints what is touched
    python python/benches/scale.py --paper                      # prints the table
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

#: Rates of docs/BENCHMARKS.md: nanoseconds of CPU a row, octets.
SPARK_NS, COMMAND_NS = 1_552, 173
ROWS, ORIGINS = 3e9, 60e6
CORPUS_OCTETS = (501, 1_560)
#: Assumed: cores of a node, octets a second that a node copies from a store, what a core costs an hour, seconds until a job runs.
NODE_CORES, COPY_RATE, CORE_HOUR, START = 10, 1e9, 0.04, 20


def paper() -> None:
    """Seconds and cost by number of cores: judging, and copying the corpus to each node first."""
    least, most = (size * ORIGINS for size in CORPUS_OCTETS)
    print("| cores | judging, s | copying the corpus to each node, s | leaves the store, TB | cost, USD |\n| --- | --- | --- | --- | --- |")
    for cores in (10, 100, 1_000):
        nodes = max(1, cores // NODE_CORES)
        judging = ROWS * SPARK_NS / 1e9 / cores
        copying = [size / COPY_RATE for size in (least, most)]
        cost = [(judging + copy + START) * cores / 3600 * CORE_HOUR for copy in copying]
        print(
            f"| {cores:,} | {judging:,.0f} | {copying[0]:.0f} to {copying[1]:.0f} | {nodes * least / 1e12:.2f} to {nodes * most / 1e12:.2f} "
            f"| {cost[0]:.2f} to {cost[1]:.2f} |"
        )


def touched(rows: str, corpus: str, start: float, length: float) -> int:
    """Octets of the corpus' files in memory after a share of the rows was judged, in a process of its own."""
    code = """
import sys, pyarrow.parquet as pq, robosift
rows, path, start, length = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
table = pq.read_table(rows, columns=["url"])
corpus = robosift.Corpus.open(path)
corpus.evaluate(table.slice(int(start * len(table)), int(length * len(table))), agents="GPTBot", threads=1)
print(open("/proc/self/smaps").read())
"""
    told = subprocess.run([sys.executable, "-c", code, rows, corpus, str(start), str(length)], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", told, flags=re.MULTILINE)
    ours = [part for part in parts if str(Path(corpus).resolve()) in part.split("\n")[0]]
    return sum(int(found[1]) * 1024 for part in ours if (found := re.search(r"^Rss:\s+(\d+) kB", part, re.MULTILINE)))


def main() -> None:
    if sys.argv[1:] == ["--paper"]:
        paper()
        return
    rows, corpus = sys.argv[1:]
    size = sum(path.stat().st_size for path in Path(corpus).rglob("*") if path.is_file())
    for length in (0.01, 0.1, 0.5, 1.0):
        octets = touched(rows, corpus, (1 - length) / 2, length)
        print(f"{length:.0%} of the rows: {octets / 1e6:,.1f} MB of {size / 1e6:,.1f} MB, {octets / size:.0%}")


if __name__ == "__main__":
    main()
