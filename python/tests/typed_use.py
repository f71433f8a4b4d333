"""The whole interface, used as it is meant to be: never run, but read by mypy in its strict mode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import robosift
from robosift import Corpus, Evaluator, Finding, Options, RobotsTxt, Verdict


def corpora(rows: Any) -> None:
    corpus: Corpus = Corpus.build(
        ["a.warc.gz", Path("b.parquet")],
        Path("out.corpus"),
        origin=None,
        columns={"body": "response.body"},
        body_limit=0,
        texts=False,
        memory="2GiB",
        threads=4,
        on_error="skip",
        resume=True,
    )
    opened: Corpus = Corpus.open("out.corpus")
    same: Corpus = Corpus(Path("out.corpus"))
    texts: Sequence[str] = [corpus.path, opened.fingerprint, repr(same)]
    info: dict[str, Any] = corpus.info
    judge: Evaluator = corpus.evaluator(agents=["GPTBot", "*"], url="u", origin="o", time="t", keep="all", layout="long", threads=1)
    verdicts = [judge(rows), judge.corpus.evaluate(rows, agent_column="agent"), judge.schema(rows)]
    told: dict[str, Any] = corpus.explain("https://a.example/", ["GPTBot"], at="2026-01-01", dialect="google")
    print(texts, info, verdicts, told)


def options(corpus: Corpus, rows: Any) -> Any:
    asked: Options = {
        "dialect": "google",
        "policy": "closed",
        "status": ["403=disallow"],
        "stale": "off",
        "fallback": "documented",
        "no_capture": "allow",
        "as_of": "latest",
        "capture_window": "24h",
        "nearest": True,
        "scope": "host",
        "agent_kind": "token",
        "registry": Path("agents.toml"),
        "columns": ["allowed", "basis"],
        "layout": "wide",
        "suffix": "always",
        "threads": 2,
    }
    counts: dict[str, Any] = robosift.eval_files(
        [Path("in")], "out", corpus=corpus, agents="GPTBot", compression="lz4", memory="1GiB", on_error="fail", resume=False, **asked
    )
    print(counts)
    return corpus.evaluate(rows, agents="GPTBot", **asked)


def single(body: bytes) -> bool:
    robots = RobotsTxt(body, dialect="google", body_limit=0)
    verdict: Verdict = robots.verdict(url="https://a.example/", agent="GPTBot")
    line: int | None = verdict.line
    delay: float | None = robots.crawl_delay(agent="GPTBot")
    sitemaps: list[str] = robots.sitemaps
    findings: list[Finding] = robosift.lint(body, dialect="rfc9309", body_limit=10)
    print(line, verdict.basis, delay, sitemaps, [finding.remedy for finding in findings], robosift.__version__)
    return robots.allowed(url="https://a.example/", agent="GPTBot")


def errors() -> str:
    try:
        Corpus.open("nowhere")
    except (robosift.ArgumentError, robosift.CorpusError, robosift.RowsError, robosift.FilesError) as error:
        wider: robosift.Error = error
        return str(wider)
    return ""
