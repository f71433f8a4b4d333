"""One robots.txt: single questions, and what its owner may not have meant."""

from __future__ import annotations

from typing import NamedTuple

from . import _robosift
from ._errors import ArgumentError


class Verdict(NamedTuple):
    """What a robots.txt says about one URL for one agent."""

    allowed: bool
    """Whether it may be crawled."""
    basis: str
    """What decided: ``"rule"``, ``"no_rule"``, ``"no_group"``, ``"no_rules"``, ``"robots_txt"``."""
    line: int | None
    """The line of the deciding rule, if one decided."""


class Finding(NamedTuple):
    """What the owner of a robots.txt may not have meant."""

    code: str
    """Stable: ``"RS204"``."""
    name: str
    """The code in words."""
    severity: str
    """``"error"``, ``"warning"`` or ``"info"``."""
    line: int | None
    """The line, from 1; ``None`` for the whole file."""
    message: str
    """What is there."""
    remedy: str
    """What to do."""


class RobotsTxt:
    """A robots.txt, parsed and compiled once, for single questions. For many rows use :class:`Corpus`.

    :param body: its octets, or text that is taken as UTF-8. No body is an error.
    :param dialect: ``"rfc9309"`` or ``"google"``.
    :param body_limit: octets that are read; 0 is all.

    URL and agent are given by name, because the parsers of the field disagree on their order.

    >>> from robosift import RobotsTxt
    >>> robots = RobotsTxt(b"User-agent: GPTBot\\nDisallow: /private/\\nCrawl-delay: 2\\n\\nSitemap: https://a.example/s.xml")
    >>> robots.allowed(url="https://a.example/private/x", agent="GPTBot")
    False
    >>> robots.verdict(url="https://a.example/private/x", agent="GPTBot")
    Verdict(allowed=False, basis='rule', line=2)
    >>> robots.crawl_delay(agent="GPTBot"), robots.sitemaps
    (2.0, ['https://a.example/s.xml'])
    """

    def __init__(
        self, body: bytes | str, *, dialect: str = "rfc9309", body_limit: int = 512_000
    ) -> None:
        self._inner = _robosift.RobotsTxt(body, dialect=dialect, body_limit=body_limit)

    def verdict(self, *, url: str, agent: str) -> Verdict:
        """Whether the agent may crawl the URL, and what decided.

        :raises ArgumentError: a URL that is not an absolute http(s) one, an empty agent; in dialect ``"google"``, which answers every
            string, only a set or a list of agents.
        """
        allowed, basis, line = self._inner.verdict(url=url, agent=agent)
        if allowed is None:
            raise ArgumentError(
                f"{url!r} is not an absolute http(s) URL"
                if basis == "bad_url"
                else f"{agent!r} is not an agent: give a product token such as GPTBot, or *"
            )
        return Verdict(allowed, basis, line)

    def allowed(self, *, url: str, agent: str) -> bool:
        """Whether the agent may crawl the URL. Raises as :meth:`verdict`."""
        return self.verdict(url=url, agent=agent).allowed

    def crawl_delay(self, *, agent: str) -> float | None:
        """Seconds, of the first Crawl-delay line with a number in the agent's groups; ``None`` where there is none."""
        return self._inner.crawl_delay(agent=agent)

    @property
    def sitemaps(self) -> list[str]:
        """The values of all Sitemap lines, in order."""
        return self._inner.sitemaps

    def __reduce__(self) -> tuple[object, tuple[bytes, str]]:
        return (_robots, (self._inner.body, self._inner.dialect))

    def __repr__(self) -> str:
        return f"<robosift.RobotsTxt of {len(self._inner.body)} octets, {self._inner.dialect}>"


def _robots(body: bytes, dialect: str) -> RobotsTxt:
    return RobotsTxt(body, dialect=dialect, body_limit=0)


def lint(
    body: bytes | str, *, dialect: str = "rfc9309", body_limit: int = 512_000
) -> list[Finding]:
    """What the owner of a robots.txt may not have meant, in the order of the lines (docs/LINT.md).

    >>> import robosift
    >>> [(found.line, found.code) for found in robosift.lint("User-agent: *\\nAlow: /private/open\\n")]
    [(None, 'RS009'), (2, 'RS102')]
    """
    found = _robosift.lint(body, dialect=dialect, body_limit=body_limit)
    return [Finding(*finding) for finding in found]
