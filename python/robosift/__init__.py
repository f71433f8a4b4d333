"""robosift judges rows of (origin, agent, URL) by robots.txt captures, at crawl scale.

* :class:`Corpus`: captures, compiled; :meth:`Corpus.evaluate` gives verdict columns for tables of pyarrow, polars, DuckDB …
* :func:`eval_files`: the same for Parquet files
* :class:`RobotsTxt`, :func:`lint`: one robots.txt
* :mod:`robosift.spark`: DataFrames of Spark

>>> import pyarrow as pa, robosift
>>> corpus = robosift.Corpus.open(demo / "demo.corpus")
>>> rows = pa.table({"url": ["https://nowhere.example/"]})
>>> corpus.evaluate(rows, agents="GPTBot").to_pylist()
[{'robots_allowed': None, 'robots_basis': 'no_capture', 'robots_rule_id': None, 'robots_group': None}]
"""

from ._corpus import Corpus, Evaluator
from ._errors import ArgumentError, CorpusError, Error, FilesError, RowsError
from ._files import eval_files
from ._options import Options
from ._robosift import __version__
from ._robots import Finding, RobotsTxt, Verdict, lint

__all__ = [
    "ArgumentError",
    "Corpus",
    "CorpusError",
    "Error",
    "Evaluator",
    "FilesError",
    "Finding",
    "Options",
    "RobotsTxt",
    "RowsError",
    "Verdict",
    "__version__",
    "eval_files",
    "lint",
]
