"""A cluster of Spark on this machine: two executors, each a process of its own with Python workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

#: Executors and the cores of each.
MASTER = "local-cluster[2,1,1024]"


def start() -> SparkSession:
    """Starts it; nothing of it stays in the working directory."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    scratch = tempfile.mkdtemp(prefix="robosift-spark-")
    builder = SparkSession.builder.master(os.environ.get("ROBOSIFT_SPARK_MASTER", MASTER))
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": scratch,
        "spark.sql.warehouse.dir": f"{scratch}/warehouse",
        "spark.network.timeout": "600s",
        "spark.sql.shuffle.partitions": "4",
        # Many tasks for the few rows of tests.
        "spark.sql.files.maxPartitionBytes": "2m",
        "spark.sql.files.openCostInBytes": "2m",
        "spark.sql.session.timeZone": "UTC",
        # Classes of tests are sent to workers by name.
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def processes(pattern: str) -> list[int]:
    """The processes below this one whose command line has the pattern."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in listing.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, *_ in lines}
    found = [int(line[0]) for line in lines if len(line) == 3 and pattern in line[2]]
    return [pid for pid in found if is_below(pid, os.getpid(), parents)]


def is_below(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    """Whether a process descends from another."""
    while pid in parents:
        if pid == ancestor:
            return True
        pid = parents[pid]
    return False


def kill(pid: int) -> None:
    """Without a warning."""
    os.kill(pid, signal.SIGKILL)


def repository() -> Path:
    """The root of the project."""
    return Path(__file__).resolve().parents[2]
