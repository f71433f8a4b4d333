"""``robosift-spark``: verdicts for Common Crawl's columnar index, or any Parquet with a column of URLs, as a job for ``spark-submit``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from robosift._errors import ArgumentError, Error
from robosift.spark import evaluate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: What is carried over where nothing is said: the column with the URLs, the first of these.
KEPT = "the URL column"
URLS = ("url", "u")

EXAMPLE = """\
Example, for one crawl of Common Crawl:
  spark-submit $(which robosift-spark) --corpus s3://mine/2026-47.corpus --agent GPTBot,CCBot \\
      --keep url,warc_filename,warc_record_offset --where "subset = 'warc'" \\
      s3a://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2026-47 s3a://mine/verdicts

  writes s3a://mine/verdicts/subset=warc/…: the kept columns and the verdicts, in the partitions of the input.

Exit codes: 0 done, 2 the command line makes no sense, 4 failed. spark-submit may give 1 for all but 0."""


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser(
        prog="robosift-spark",
        description="Write verdict columns for Parquet with a row per URL, on Spark; partitioned as the input is.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("rows", help="Parquet as Spark names it; crawl=…/subset=… folders below it become columns")
    add("output", help="folder to write; it must not be there unless --mode says otherwise")
    add("--corpus", required=True, help="where workers find the built corpus: a path, sparkfiles:NAME, or the URL of an object store")
    add("--agent", action="append", required=True, metavar="AGENT", help="agent to ask for, or a set as @ai-training; repeatable, commas separate")
    add("--url-column", help="column with the URLs [default: the first present of url, u, metadata.url]")
    add("--origin-column", help="column with the origins, where the URL column holds paths")
    add("--time-column", help="column with the time of each row")
    add("--keep", default=KEPT, metavar="COLUMNS", help="columns to carry over: none, all, or names [default: the one with the URLs]; those the input is partitioned by always are")
    add("--columns", default="standard", help="verdict columns: standard, full, or names")
    add("--layout", choices=["wide", "long"], default="wide", help="columns side by side for several agents, or a row for each")
    add("--where", metavar="SQL", help="only rows for which this holds: subset = 'warc'")
    add("--mode", choices=["errorifexists", "overwrite", "append"], default="errorifexists", help="what becomes of an output that is there")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="any other option of robosift.Options: dialect=google, policy=closed, as_of=latest; repeatable")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the job; gives the exit code."""
    given = parser().parse_args(arguments)
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("robosift").getOrCreate()
    try:
        report = run(spark, given)
    except Error as error:
        print(f"robosift-spark: {error}", file=sys.stderr)
        return 2 if isinstance(error, ArgumentError) else 4
    except Exception as error:  # Spark's own, and what workers raise.
        print(f"robosift-spark: {str(error).strip() or type(error).__name__}", file=sys.stderr)
        return 4
    print(report)
    return 0


def run(spark: SparkSession, given: argparse.Namespace) -> str:
    """Judges and writes; gives a line that says what was done."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    refuse_overwriting(given)
    options = options_of(given.option)
    # The names of folders are kept as they are: 007 is not 7.
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    rows = spark.read.parquet(given.rows)
    partitions = partition_columns(rows)
    if given.where:
        rows = rows.where(given.where)
    names = None if given.keep == "all" else kept(given.keep, rows, partitions, given)
    verdicts = evaluate(
        rows if names is None else rows.select(*needed(rows, names, given)),
        corpus=given.corpus,
        agents=given.agent,
        url=given.url_column,
        origin=given.origin_column,
        time=given.time_column,
        keep="all" if names is None else names or "none",
        columns=given.columns,
        layout=given.layout,
        **options,
    )
    counted = Observation()
    verdicts = verdicts.observe(counted, F.count(F.lit(1)).alias("rows"))
    verdicts.write.mode(given.mode).partitionBy(*partitions).parquet(given.output)
    return f"{counted.get['rows']:,} rows with verdicts in {given.output}"


def refuse_overwriting(given: argparse.Namespace) -> None:
    """An output that is the input, or lies around it or in it, would be the end of both."""
    rows, output = (text.rstrip("/") + "/" for text in (given.rows, given.output))
    if rows.startswith(output) or output.startswith(rows):
        raise ArgumentError(f"{given.output} is where the rows are; write elsewhere")


def kept(text: str, rows: DataFrame, partitions: list[str], given: argparse.Namespace) -> list[str]:
    """The columns to carry over."""
    names = [] if text == "none" else [name.strip() for name in text.split(",") if name.strip()]
    if text == KEPT:
        url = given.url_column or next((name for name in URLS if name in rows.columns), "metadata")
        names = [url.partition(".")[0]]
    return names + [name for name in partitions if name not in names]


def needed(rows: DataFrame, names: list[str], given: argparse.Namespace) -> list[str]:
    """The columns that pass through Python: those carried over, and those that rows are read from."""
    read = [given.url_column, given.origin_column, given.time_column]
    guessed = ["url", "u", "metadata", "fetch_time", "date", "timestamp"]
    wanted = [name.partition(".")[0] for name in read if name] + [name for name in guessed if name in rows.columns]
    return names + [name for name in dict.fromkeys(wanted) if name not in names]


def options_of(texts: list[str]) -> Any:
    """``NAME=VALUE``, as options of the library; rows of a policy may be given more than once."""
    options: dict[str, Any] = {}
    words: dict[str, Any] = {"true": True, "false": False}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ArgumentError(f"--option takes NAME=VALUE, not {text!r}")
        if name in ("columns", "layout", "keep"):
            raise ArgumentError(f"--option {name} is said by --{name}")
        if name == "status":
            options.setdefault(name, []).append(value)
        elif name in options:
            raise ArgumentError(f"--option {name} is given twice")
        else:
            options[name] = int(value) if name == "threads" and value.isdigit() else words.get(value, value)
    return options


def partition_columns(rows: DataFrame) -> list[str]:
    """The columns that the input is partitioned by: those that stand in the names of its folders."""
    paths = rows.inputFiles()
    found = re.findall(r"/([^/=]+)=[^/]*(?=/)", paths[0]) if paths else []
    return [name for name in map(unquote, found) if name in rows.columns]


if __name__ == "__main__":
    sys.exit(main())
