"""The page of `explain --html` in a real browser: it tells the verdict, breaks no policy, loads nothing, fits a phone.

Builds nothing: ROBOSIFT_BIN names the binary and ROBOSIFT_BROWSER a Chromium (scripts/test sets both); without the latter
the browser that Playwright has installed is used.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

from playwright.sync_api import sync_playwright

ROBOTS = """\
User-agent: *
Disallow: /

User-agent: GPTBot
Allow: /a%7Eb
Disallow: /a
Crawl-delay: 5

Sitemap: https://www.example.com/sitemap.xml
"""
HOSTILE = b"""\
User-agent: *
Disallow: /"><script>document.title = 'broken'</script>
Disallow: /x</code></mark><img src=https://attacker.invalid/x.png onerror=alert(1)>\0\xff\xfe\x1b[31m
Disallow: /x</code></mark><img
Sitemap: javascript:alert(1)
Content-Signal: <svg onload=alert(1)><style>@import url(https://attacker.invalid/y.css)</style>
"""
URL = "https://www.example.com/%61~b"


class ExplainPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.playwright = sync_playwright().start()
        path = os.environ.get("ROBOSIFT_BROWSER") or None
        # A sandbox of its own cannot be set up by root, as in containers.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=path, args=arguments)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    def explain(self, robots: bytes, *arguments: str, code: int) -> pathlib.Path:
        """Writes a page; the binary's own words are shown when it fails."""
        folder = pathlib.Path(self.folder.name)
        (folder / "robots.txt").write_bytes(robots)
        page = folder / "page.html"
        binary = pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve()
        command = [binary, "explain", *arguments, "--robots", folder / "robots.txt", "--html", page]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return page

    def open(self, page: pathlib.Path, width: int = 1100, scheme: str = "light"):
        """The page in a context of its own, with all that it logged and asked for."""
        context = self.browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.addCleanup(context.close)
        tab = context.new_page()
        tab.logged, tab.asked = [], []
        tab.on("console", lambda message: tab.logged.append(message.text))
        tab.on("pageerror", lambda error: tab.logged.append(str(error)))
        tab.on("dialog", lambda dialog: tab.logged.append(dialog.message))
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(page.as_uri())
        return tab

    def assert_quiet(self, tab, page):
        self.assertEqual(tab.logged, [])
        self.assertEqual(tab.asked, [page.as_uri()])

    def test_verdict_line_and_tables_are_there(self):
        page = self.explain(ROBOTS.encode(), URL, "--agent", "GPTBot,CCBot", "--all-agents", code=1)
        tab = self.open(page)
        self.assertEqual(tab.locator("h1").inner_text(), URL)
        self.assertEqual(tab.locator("#agent-0 h2").inner_text().split(), ["GPTBot", "allowed"])
        self.assertEqual(tab.locator("#agent-1 h2").inner_text().split(), ["CCBot", "disallowed"])
        self.assertEqual(tab.locator("#agent-0 mark").inner_text(), "Allow: /a%7Eb")
        self.assertEqual(tab.locator("#agent-1 mark").inner_text(), "Disallow: /")
        barred = tab.locator("#agent-0 .file .group .n").all_inner_texts()
        self.assertEqual(barred, ["4", "5", "6", "7"])
        rows = tab.locator("#agent-0 table.rules tbody tr").all_inner_texts()
        self.assertEqual([row.split()[:4] for row in rows], [["5", "4", "Allow:", "/a%7Eb"], ["6", "2", "Disallow:", "/a"]])
        groups = tab.locator("#agent-0 table.groups tbody tr").all_inner_texts()
        self.assertIn("another group names the agent", groups[0])
        self.assertIn("applies", groups[1])
        self.assertIn("Crawl-delay: 5", tab.locator("#agent-0 table.records").inner_text())
        self.assertIn("what is made equal before comparing", tab.locator("#agent-0").inner_text())
        tab.locator("summary").click()
        self.assertIn("GPTBot", tab.locator("#all-agents tbody").inner_text())
        self.assert_quiet(tab, page)

    def test_it_fits_a_phone_and_follows_the_colour_scheme(self):
        page = self.explain(ROBOTS.encode(), URL, "--agent", "GPTBot", code=0)
        colours = []
        for scheme in ["light", "dark"]:
            tab = self.open(page, width=360, scheme=scheme)
            self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), 360)
            # All of the tables is seen without moving them aside.
            tables = tab.locator("table").evaluate_all("all => all.map(t => [t.scrollWidth, t.parentElement.clientWidth])")
            for wide, room in tables:
                self.assertLessEqual(wide, room)
            colours.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
            self.assert_quiet(tab, page)
        self.assertNotEqual(*colours)

    def test_hostile_bodies_stay_text(self):
        page = self.explain(HOSTILE, "https://a.example/x</code></mark><img src=1>", "--agent", "<b>Bot</b>", code=1)
        tab = self.open(page)
        self.assertNotEqual(tab.title(), "broken")
        self.assertEqual(tab.locator("script, img, svg, link, iframe, body style").count(), 0)
        self.assertEqual(tab.locator("#agent-0 mark").inner_text(), "Disallow: /x</code></mark><img")
        self.assertIn("<script>document.title", tab.locator("#agent-0 .file").inner_text())
        self.assertIn("<b>Bot</b>", tab.locator("#agent-0 h2").inner_text())
        self.assertIn(r"\u{1b}[31m", tab.locator("#agent-0 .file").inner_text())
        self.assert_quiet(tab, page)


if __name__ == "__main__":
    unittest.main()
