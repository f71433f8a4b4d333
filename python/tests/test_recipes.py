"""The programs of docs/RECIPES.md run as they stand there, each in a folder of its own with the demo in it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import PATIENCE, ROBOTS, ROOT, ROWS

RECIPES = ROOT / "docs" / "RECIPES.md"
QUIET = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TQDM_DISABLE": "1",
    "PYSPARK_PYTHON": sys.executable,
}


def blocks() -> dict[str, list[str]]:
    """Programs by the heading that they stand under."""
    found: dict[str, list[str]] = {}
    heading = "corpus"
    for part in re.finditer(r"^## (?P<heading>[^\n]+)$|^```python\n(?P<code>.*?)^```$", RECIPES.read_text(), re.M | re.S):
        if part["heading"]:
            heading = part["heading"]
        else:
            found.setdefault(heading, []).append(part["code"])
    return found


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.start = pathlib.Path(folder.name)
        shutil.copy(ROBOTS, cls.start)
        shutil.copy(ROWS, cls.start)
        (code,) = blocks()["corpus"]
        cls.run_program(code, cls.start)

    @staticmethod
    def run_program(code: str, folder: pathlib.Path) -> None:
        program = folder / "recipe.py"
        program.write_text(code)
        # What libraries keep of earlier runs must not come into it.
        surroundings = {**os.environ, **QUIET, "HOME": str(folder), "TMPDIR": str(folder)}
        done = subprocess.run(
            [sys.executable, program.name], cwd=folder, env=surroundings, capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode != 0:
            raise AssertionError(f"the recipe ended with {done.returncode}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")

    def recipe(self, heading: str) -> None:
        codes = blocks()[heading]
        self.assertEqual(len(codes), 1)
        self.assertIn("\nassert ", codes[0].replace("\n    assert ", "\nassert "))
        # Not below a long path: Ray makes sockets below its temporary folder, whose names may not be long.
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "r"
            shutil.copytree(self.start, folder)
            self.run_program(codes[0], folder)

    def test_every_recipe_is_run_here(self):
        run = {name for name in vars(type(self)) if name.startswith("test_recipe_")}
        headings = {f"test_recipe_{re.sub('[^a-z]+', '_', heading.lower())}" for heading in blocks() if heading != "corpus"}
        self.assertEqual(run, headings)
        self.assertGreater(len(run), 5)


def add_tests() -> None:
    """One test for each heading."""
    for heading in blocks():
        if heading != "corpus":
            name = f"test_recipe_{re.sub('[^a-z]+', '_', heading.lower())}"
            setattr(Recipes, name, lambda self, heading=heading: self.recipe(heading))


add_tests()

if __name__ == "__main__":
    unittest.main()
