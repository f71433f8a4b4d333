"""Types: the package and its use pass mypy in strict mode, wrong use does not, and the stubs say what the module has."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import robosift

from support import PATIENCE, ROOT

PACKAGE = pathlib.Path(robosift.__file__).parent
CONFIG = "[mypy]\nstrict = true\n[mypy-pyarrow.*]\nignore_missing_imports = true\n"
#: Uses that mypy must refuse, with the code of its error.
WRONG = [
    ('corpus.evaluate(None, agents="GPTBot", polcy="closed")', "call-arg"),
    ('corpus.evaluate(None, agents="GPTBot", policy="open")', "arg-type"),
    ('corpus.evaluate(None, agents=5)', "arg-type"),
    ('robots.allowed("https://a.example/", "GPTBot")', "call-arg"),
    ("robosift.RobotsTxt(5)", "arg-type"),
    ("robosift.Corpus.build(5, 'out')", "arg-type"),
    ("corpus.nothing", "attr-defined"),
]


def checked(module: str, *arguments: object) -> tuple[int, str]:
    """Runs mypy or its stubtest on a configuration of its own."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "mypy.ini"
        config.write_text(CONFIG)
        flag = "--config-file" if module == "mypy" else "--mypy-config-file"
        command = [sys.executable, "-m", module, flag, config, *arguments]
        cache = {"MYPY_CACHE_DIR": folder}
        done = subprocess.run(
            [str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **cache}
        )
    return done.returncode, done.stdout + done.stderr


class Types(unittest.TestCase):
    def test_the_package(self):
        code, told = checked("mypy", "-p", "robosift")
        self.assertEqual(code, 0, told)

    def test_the_whole_interface_in_use(self):
        code, told = checked("mypy", ROOT / "python" / "tests" / "typed_use.py")
        self.assertEqual(code, 0, told)

    def test_wrong_use_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.py"
            head = "import robosift\ncorpus = robosift.Corpus('c')\nrobots = robosift.RobotsTxt('')\n"
            path.write_text(head + "".join(f"{line}\n" for line, _ in WRONG))
            code, told = checked("mypy", path)
        self.assertEqual(code, 1, told)
        for number, (line, expected) in enumerate(WRONG, head.count("\n") + 1):
            self.assertRegex(told, rf"wrong.py:{number}: error: .*\[{expected}\]", line)

    def test_stubs_are_those_of_the_module(self):
        code, told = checked("mypy.stubtest", "robosift._robosift")
        self.assertEqual(code, 0, told)

    def test_the_package_says_that_it_is_typed(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        self.assertTrue((PACKAGE / "_robosift.pyi").exists())


if __name__ == "__main__":
    unittest.main()
