#!/usr/bin/env python3
"""Times Google's matcher through one of its bindings.

Usage: google.py ROWS VERDICTS BINDING RUNS AGENT...

ROWS holds files: the length of the body, the body, the number of URLs, then the length of each URL and the
URL; lengths and numbers have four octets, little-endian. Written into VERDICTS is one octet for each file,
agent and URL: 0 disallowed, 1 allowed, 2 where the binding raised an error. Printed are the seconds of each
run over all rows; no further run is begun after 30 seconds. A body is handed over for each question, as the
interface of the matcher wants it.
"""

import sys
import time


def read_rows(path):
    with open(path, "rb") as source:
        data = source.read()
    at = 0

    def number():
        nonlocal at
        at += 4
        return int.from_bytes(data[at - 4 : at], "little")

    def octets():
        nonlocal at
        length = number()
        at += length
        return data[at - length : at]

    files = []
    while at < len(data):
        body = octets()
        files.append((body, [octets() for _ in range(number())]))
    return files


def original():
    """The binding that takes octets as they are."""
    from jwm.robotstxt.googlebot import RobotsMatcher

    return RobotsMatcher().OneAgentAllowedByRobots, lambda octets: octets


def fork():
    """The binding that takes text only."""
    from robotstxt import RobotsMatcher

    return RobotsMatcher().is_allowed, lambda octets: octets.decode("utf-8", "replace")


BINDINGS = {"jwm.robotstxt": original, "fast-robotstxt": fork}


def judge(is_allowed, files, agents):
    """The verdicts, collected by the cheapest means there is."""
    verdicts = bytearray()
    take = verdicts.append
    for body, urls in files:
        for agent in agents:
            for url in urls:
                try:
                    take(is_allowed(body, agent, url))
                except Exception:
                    take(2)
    return verdicts


def main():
    rows, out, binding, runs, *agents = sys.argv[1:]
    is_allowed, convert = BINDINGS[binding]()
    files = [(convert(body), [convert(url) for url in urls]) for body, urls in read_rows(rows)]
    spent = 0
    for _ in range(int(runs)):
        started = time.perf_counter()
        verdicts = judge(is_allowed, files, agents)
        seconds = time.perf_counter() - started
        print(seconds)
        spent += seconds
        if spent > 30:
            break
    with open(out, "wb") as target:
        target.write(verdicts)


if __name__ == "__main__":
    main()
