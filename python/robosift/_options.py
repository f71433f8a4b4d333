"""The keyword options that say how rows are judged and which columns are given."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, TypedDict



class Options(TypedDict, total=False):
    """How to judge, and which columns to give. The words are those of the command line.

    ============== ========================================================================================
    option         means
    ============== ========================================================================================
    dialect        ``"rfc9309"`` (default) or ``"google"``: how bodies are read and rules compared
    policy         ``"rfc9309"`` (default), ``"google"``, ``"closed"``, ``"commoncrawl"``: what statuses mean
    status         rows of the policy set otherwise: ``["403=disallow", "5xx=allow"]``
    stale          ``"30d"`` or ``"off"``: an unreachable origin is answered from an older capture
    fallback       ``"none"`` (default), ``"documented"``: groups that operators document for their agents
    no_capture     ``"unknown"`` (default), ``"allow"``, ``"disallow"``: the verdict where nothing was captured
    as_of          ``"row"``, ``"latest"``, ``"ever"`` or a date; default: ``"row"`` where rows have times
    capture_window ``"24h"``: older captures do not count
    nearest        a later capture counts too where it is nearer in time
    scope          ``"origin"`` (default), ``"host"``: https answers for http, and the reverse
    agent_kind     ``"auto"`` (default), ``"token"``, ``"header"``: how agents are read
    registry       a file with agents and sets of your own
    columns        ``"standard"`` (default), ``"full"``, or names of verdict columns
    layout         ``"wide"`` (default), ``"long"``: columns side by side for several agents, or a row for each
    suffix         ``"auto"`` (default), ``"always"``: when column names end in the agent
    threads        threads to judge on; 0, the default, is one for each core
    ============== ========================================================================================
    """

    dialect: Literal["rfc9309", "google"]
    policy: Literal["rfc9309", "google", "closed", "commoncrawl"]
    status: str | Sequence[str]
    stale: str
    fallback: Literal["none", "documented"]
    no_capture: Literal["unknown", "allow", "disallow"]
    as_of: str
    capture_window: str
    nearest: bool
    scope: Literal["origin", "host"]
    agent_kind: Literal["auto", "token", "header"]
    registry: str | PathLike[str]
    columns: str | Sequence[str]
    layout: Literal["wide", "long"]
    suffix: Literal["auto", "always"]
    threads: int
