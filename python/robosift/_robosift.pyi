from os import PathLike
from typing import Any, final

__all__ = [
    "Corpus",
    "Evaluator",
    "RobotsTxt",
    "ShardBuilder",
    "VerdictStream",
    "__version__",
    "build_corpus",
    "eval_files",
    "lint",
    "locate_captures",
    "settle_shards",
]

__version__: str

@final
class VerdictStream:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Corpus:
    def __new__(cls, path: str | PathLike[str]) -> Corpus: ...
    @property
    def path(self) -> PathLike[str]: ...
    @property
    def info(self) -> dict[str, Any]: ...
    def explain(
        self,
        url: str,
        agents: list[str],
        *,
        at: str | None = None,
        options: dict[str, Any] | None = None,
    ) -> str: ...

@final
class Evaluator:
    def __new__(
        cls,
        corpus: Corpus | None,
        agents: list[str],
        *,
        url: str | None = None,
        agent_column: str | None = None,
        origin: str | None = None,
        time: str | None = None,
        keep: object = None,
        options: dict[str, Any] | None = None,
    ) -> Evaluator: ...
    def stream(self, rows: object) -> VerdictStream: ...
    def evaluate(self, rows: object) -> VerdictStream: ...
    def empty(self, rows: object) -> VerdictStream: ...

@final
class RobotsTxt:
    def __new__(
        cls, body: bytes | str, *, dialect: str | None = None, body_limit: int = 512_000
    ) -> RobotsTxt: ...
    def verdict(self, *, url: str, agent: str) -> tuple[bool | None, str, int | None]: ...
    def crawl_delay(self, *, agent: str) -> float | None: ...
    @property
    def sitemaps(self) -> list[str]: ...
    @property
    def dialect(self) -> str: ...
    @property
    def body(self) -> bytes: ...

def lint(
    body: bytes | str, *, dialect: str | None = None, body_limit: int = 512_000
) -> list[tuple[str, str, str, int | None, str, str]]: ...
def build_corpus(
    sources: list[str],
    output: str,
    *,
    origin: str | None,
    columns: str | None,
    body_limit: int,
    texts: bool,
    memory: str | None,
    threads: int,
    skip_damaged: bool,
    resume: bool,
) -> list[str]: ...
def eval_files(
    rows: list[str],
    output: str,
    corpus: Corpus,
    agents: list[str],
    *,
    url: str | None,
    agent_column: str | None,
    origin: str | None,
    time: str | None,
    keep: object,
    compression: str,
    memory: str | None,
    skip_damaged: bool,
    resume: bool,
    options: dict[str, Any] | None,
) -> dict[str, Any]: ...

@final
class ShardBuilder:
    def __new__(
        cls,
        output: str,
        *,
        columns: str | None,
        body_limit: int,
        texts: bool,
        memory: str,
        skip_damaged: bool,
    ) -> ShardBuilder: ...
    def add(self, captures: object) -> int: ...
    def finish(self) -> dict[str, int]: ...

def locate_captures(
    captures: object, *, columns: str | None, bounds: list[str]
) -> VerdictStream: ...
def settle_shards(root: str) -> dict[str, int]: ...
