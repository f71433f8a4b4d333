"""One robots.txt: single questions, findings, explanations; and what the docstrings say."""

import doctest
import importlib
import inspect
import json
import os
import unittest

import robosift
from robosift import ArgumentError, RobotsTxt, Verdict

from support import ROBOTS, ROOT, Demo, folder_for, robosift_bin

BODY = b"""\
User-agent: GPTBot
Allow: /private/open
Disallow: /private/
Crawl-delay: 2.5
Crawl-delay: 7

User-agent: *
Disallow: /

Sitemap: https://a.example/s.xml
Sitemap: https://a.example/t.xml
"""


def asked(body: bytes | str = BODY, path: str = "/private/x", agent: str = "GPTBot", **options) -> Verdict:
    return RobotsTxt(body, **options).verdict(url=f"https://a.example{path}", agent=agent)


class SingleQuestions(unittest.TestCase):
    def test_verdicts_name_what_decided(self):
        expected = [
            (BODY, "/private/x", "GPTBot", Verdict(False, "rule", 3)),
            (BODY, "/private/open", "gptbot", Verdict(True, "rule", 2)),
            (BODY, "/", "GPTBot", Verdict(True, "no_rule", None)),
            (BODY, "/", "CCBot", Verdict(False, "rule", 8)),
            (BODY, "/robots.txt", "CCBot", Verdict(True, "robots_txt", None)),
            (b"", "/", "GPTBot", Verdict(True, "no_rules", None)),
            (b"User-agent: CCBot\nDisallow: /", "/", "GPTBot", Verdict(True, "no_group", None)),
        ]
        for body, path, agent, verdict in expected:
            self.assertEqual(asked(body, path, agent), verdict, (body, path, agent))

    def test_identification_strings(self):
        self.assertEqual(asked(agent="Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)").line, 3)

    def test_text_is_taken_as_utf_8(self):
        for body in ("User-agent: *\nDisallow: /é", "User-agent: *\nDisallow: /é".encode(), bytearray("User-agent: *\nDisallow: /é".encode())):
            self.assertEqual(asked(body, "/%C3%A9").line, 2)
            self.assertEqual(asked(body, "/é").line, 2)

    def test_dialects_differ(self):
        # To Google's matcher a rule on an index page is one on its folder, too.
        body = "User-agent: *\nAllow: /a/index.html\nDisallow: /a\n"
        self.assertFalse(asked(body, "/a/").allowed)
        self.assertTrue(asked(body, "/a/", dialect="google").allowed)

    def test_limits(self):
        body = b"User-agent: *\n" + b"#" * 600_000 + b"\nDisallow: /\n"
        self.assertTrue(asked(body).allowed)
        self.assertFalse(asked(body, body_limit=0).allowed)
        self.assertFalse(asked(body, body_limit=700_000).allowed)

    def test_records(self):
        robots = RobotsTxt(BODY)
        self.assertEqual(robots.crawl_delay(agent="GPTBot"), 2.5)
        self.assertIsNone(robots.crawl_delay(agent="CCBot"))
        self.assertEqual(robots.sitemaps, ["https://a.example/s.xml", "https://a.example/t.xml"])
        for value in ("soon", "-1", "inf", "nan", ""):
            self.assertIsNone(RobotsTxt(f"User-agent: *\nCrawl-delay: {value}").crawl_delay(agent="x"), value)

    def test_what_makes_no_sense(self):
        robots = RobotsTxt(BODY)
        for url in ("", "/private", "ftp://a.example/", "https://", "a.example/x"):
            with self.assertRaisesRegex(ArgumentError, "absolute http"):
                robots.allowed(url=url, agent="GPTBot")
        for agent in ("", " "):
            with self.assertRaisesRegex(ArgumentError, "product token"):
                robots.allowed(url="https://a.example/", agent=agent)
            with self.assertRaisesRegex(ArgumentError, "product token"):
                robots.crawl_delay(agent=agent)
        for body in (None, 5, 1.5):
            with self.assertRaisesRegex(ArgumentError, "bytes, or text"):
                RobotsTxt(body)
            with self.assertRaisesRegex(ArgumentError, "bytes, or text"):
                robosift.lint(body)
        with self.assertRaisesRegex(ArgumentError, "dialect: `bing` is unknown"):
            RobotsTxt(BODY, dialect="bing")
        with self.assertRaisesRegex(ArgumentError, "dialect: `bing` is unknown"):
            robosift.lint(BODY, dialect="bing")
        for wrong in (dict(body_limit=-1), dict(body_limit="1")):
            with self.assertRaises((OverflowError, TypeError)):
                RobotsTxt(BODY, **wrong)

    def test_google_s_dialect_answers_what_google_s_matcher_answers(self):
        robots = RobotsTxt(BODY, dialect="google")
        for url, agent, line in (("/private", "CCBot", 8), ("", "CCBot", 8), ("https://a.example/", "", 8)):
            self.assertEqual(robots.verdict(url=url, agent=agent), Verdict(False, "rule", line), (url, agent))

    def test_sets_and_lists_are_no_agent(self):
        """They are agents elsewhere; here they would be answered as an agent that nobody names."""
        for agent in ("@ai-training", "CCBot,GPTBot"):
            with self.subTest(agent), self.assertRaises(ArgumentError):
                RobotsTxt(BODY).verdict(url="https://a.example/", agent=agent)

    def test_lists_of_numbers_are_no_body(self):
        with self.assertRaisesRegex(ArgumentError, "bytes, or text"):
            RobotsTxt([85, 115])

    def test_url_and_agent_are_given_by_name(self):
        with self.assertRaises(TypeError):
            RobotsTxt(BODY).allowed("https://a.example/", "GPTBot")

    def test_protego_agrees_on_plain_files(self):
        protego = importlib.import_module("protego").Protego.parse(BODY.decode())
        robots = RobotsTxt(BODY)
        for agent in ("GPTBot", "CCBot"):
            for path in ("/", "/private/", "/private/open", "/private/open/x", "/private", "/a?b=/private/"):
                url = f"https://a.example{path}"
                self.assertEqual(robots.allowed(url=url, agent=agent), protego.can_fetch(url, agent), (agent, path))


class Lint(unittest.TestCase):
    def test_findings_are_those_of_the_binary(self):
        bodies = [json.loads(line)["body"] for line in ROBOTS.read_text().splitlines()]
        odd = ["Alow: /x\n", "User-agent: *\nDisallow: x\n", "\ufeffUser-agent: *\nDisallow /\n"]
        bodies = [body for body in bodies if body] + odd
        folder = folder_for(self)
        count = 0
        for number, body in enumerate(bodies):
            (folder / f"{number}.txt").write_bytes(body.encode())
        paths = [str(folder / f"{number}.txt") for number in range(len(bodies))]
        told = json.loads(robosift_bin("lint", "--json", "--fail-on", "none", *paths))
        self.assertEqual([file["file"] for file in told["files"]], paths)
        for body, file in zip(bodies, told["files"], strict=True):
            found = [finding._asdict() for finding in robosift.lint(body)]
            expected = [{key: finding.get(key) for key in robosift.Finding._fields} for finding in file["findings"]]
            self.assertEqual(found, expected, body)
            count += len(found)
        self.assertGreater(count, 20)

    def test_severities_are_those_documented(self):
        documented = inspect.getsource(robosift.Finding)
        body = "User-agent: *\nAlow: /\nDisallow: x\nCrawl-delay: x\n"
        for finding in robosift.lint(body) + robosift.lint(""):
            self.assertIn(f'``"{finding.severity}"``', documented)

    def test_an_empty_file(self):
        self.assertEqual(robosift.lint(b""), robosift.lint(""))


class Explanations(Demo):
    def test_they_are_those_of_the_binary(self):
        rows = self.rows.slice(0, 2000).to_pylist()[::97] + [{"url": "https://private.example.com/x"}]
        urls = [row["url"] for row in rows if row["url"]] + ["no URL", ""]
        settings = [({}, []), ({"dialect": "google", "policy": "closed"}, ["--dialect", "google", "--policy", "closed"])]
        for url in urls:
            for options, flags in settings:
                with self.subTest(url, options=options):
                    told = self.corpus.explain(url, ["GPTBot", "CCBot"], **options)
                    command = ["explain", "--json", "--corpus", self.corpus.path, "--agent", "GPTBot,CCBot", *flags, url]
                    self.assertEqual(told, json.loads(robosift_bin(*command, ends_with=(0, 1, 5))))

    def test_as_of_a_time(self):
        url, at = "https://weather.example/x", "2026-09-01T00:00:00Z"
        told = self.corpus.explain(url, "GPTBot", at=at)
        self.assertEqual(told["agents"][0]["basis"], "rule")
        command = ["explain", "--json", "--corpus", self.corpus.path, "--agent", "GPTBot", "--at", at, url]
        self.assertEqual(told, json.loads(robosift_bin(*command, ends_with=(0, 1, 5))))


class Information(Demo):
    def test_info_is_that_of_the_binary(self):
        told = json.loads(robosift_bin("corpus", "info", self.corpus.path, "--json"))
        for key, value in self.corpus.info.items():
            if key in told:
                self.assertEqual(value, told[key], key)
        self.assertEqual((self.corpus.info["origins"], self.corpus.info["captures"]), (55, 65))

    def test_repr_can_be_evaluated(self):
        self.assertEqual(eval(repr(self.corpus)).fingerprint, self.corpus.fingerprint)

    def test_corpora_of_the_binary_are_the_same(self):
        path = self.folder / "binary.corpus"
        robosift_bin("corpus", "build", ROBOTS, "-o", path, "--quiet")
        self.assertEqual(robosift.Corpus.open(path).fingerprint, self.corpus.fingerprint)


class Docstrings(Demo):
    MODULES = ["robosift", "robosift._corpus", "robosift._robots", "robosift._files"]

    def test_their_examples_hold(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(ROOT)
        attempted = 0
        for name in self.MODULES:
            result = doctest.testmod(importlib.import_module(name), extraglobs={"demo": self.folder})
            self.assertEqual(result.failed, 0, name)
            attempted += result.attempted
        self.assertGreater(attempted, 20)

    def test_everything_public_has_one(self):
        for name in robosift.__all__:
            if name == "__version__":
                continue
            value = getattr(robosift, name)
            self.assertTrue(value.__doc__, name)
            for member, what in vars(value).items() if isinstance(value, type) else ():
                if not member.startswith("_") and callable(what):
                    self.assertTrue(what.__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
