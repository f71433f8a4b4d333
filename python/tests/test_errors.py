"""What goes wrong is told by an exception of robosift's own, which names the column or the option."""

import unittest

import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import robosift
from robosift import ArgumentError, CorpusError, Error, FilesError, RowsError

from support import ROBOTS, ROWS, Demo, folder_for

URLS = pa.table({"url": ["https://private.example.com/"], "number": [1]})


class Classes(unittest.TestCase):
    def test_all_are_kinds_of_error(self):
        for kind in (ArgumentError, CorpusError, RowsError, FilesError):
            self.assertTrue(issubclass(kind, Error))
        self.assertTrue(issubclass(ArgumentError, ValueError))


class Arguments(Demo):
    """Options that make no sense."""

    def test_options_are_named_with_what_is_accepted(self):
        wrong = [
            ({"agents": None}, "agents="),
            ({"agents": []}, "agents="),
            ({"agents": ["", " "]}, "agent"),
            ({"agents": "@nobody"}, "@nobody"),
            ({"agent_column": "agent"}, "agent_column="),
            ({"dialect": "bing"}, "dialect: `bing` is unknown; there are: rfc9309, google"),
            ({"policy": "open"}, "policy: `open` is unknown; there are: rfc9309, google, closed, commoncrawl"),
            ({"status": "x"}, "`x` is not STATUS=VERDICT"),
            ({"status": 403}, "status"),
            ({"stale": "long"}, "stale: `long`"),
            ({"fallback": "x"}, "fallback: `x` is unknown; there are: none, documented"),
            ({"no_capture": "x"}, "no_capture: `x` is unknown; there are: unknown, allow, disallow"),
            ({"as_of": "x"}, "as_of takes row, latest, ever or a date: `x`"),
            ({"capture_window": "24 parsecs"}, "capture_window: `24 parsecs`"),
            ({"capture_window": "24h"}, "capture_window needs a time"),
            ({"nearest": True}, "nearest needs a time"),
            ({"nearest": "yes"}, "nearest: 'yes'"),
            ({"scope": "x"}, "scope: `x` is unknown; there are: origin, host"),
            ({"agent_kind": "x"}, "agent_kind: `x` is unknown; there are: auto, token, header"),
            ({"registry": "/nowhere.toml"}, "/nowhere.toml"),
            ({"columns": "allowance"}, "`allowance` is not a verdict column; there are: standard, full"),
            ({"layout": "x"}, "layout: `x` is unknown; there are: wide, long"),
            ({"suffix": "x"}, "suffix: `x` is unknown; there are: auto, always"),
            ({"threads": -1}, "threads: -1"),
            ({"threads": "2"}, "threads: '2'"),
            ({"keep": 5}, "keep takes"),
            ({"polcy": "closed"}, "option: `polcy` is unknown; there are: dialect, policy"),
        ]
        for options, message in wrong:
            with self.subTest(options):
                with self.assertRaises(ArgumentError) as raised:
                    self.corpus.evaluate(URLS, **{"agents": "GPTBot", **options})
                self.assertRegex(str(raised.exception), message.replace("(", r"\("))

    def test_none_is_as_if_an_option_were_not_given(self):
        plain = self.corpus.evaluate(URLS, agents="GPTBot")
        options = dict.fromkeys(["dialect", "policy", "status", "stale", "as_of", "columns", "threads", "registry", "nearest"])
        self.assertEqual(self.corpus.evaluate(URLS, agents="GPTBot", **options), plain)

    def test_an_evaluator_tells_what_is_wrong_before_it_sees_rows(self):
        for options in ({"agents": []}, {"agents": "GPTBot", "columns": "x"}, {"agents": "GPTBot", "policy": "x"}):
            with self.subTest(options), self.assertRaises(ArgumentError):
                self.corpus.evaluator(**options)

    def test_builds(self):
        out = self.folder / "never.corpus"
        for options, message in [({"on_error": "x"}, "on_error"), ({"memory": "x"}, "memory: `x`"), ({"columns": {"x": "y"}}, "column `x`")]:
            with self.subTest(options), self.assertRaisesRegex(ArgumentError, message):
                robosift.Corpus.build(ROBOTS, out, **options)
        self.assertFalse(out.exists())

    def test_builds_of_nothing(self):
        with self.assertRaises(Error):
            robosift.Corpus.build([], self.folder / "nothing.corpus")

    def test_explanations(self):
        url = "https://private.example.com/"
        wrong = [("", {}, "agent"), ("GPTBot", {"at": "x"}, "`x`"), ("GPTBot", {"as_of": "row"}, "at="), ("GPTBot", {"dialect": "x"}, "dialect")]
        for agent, options, message in wrong:
            with self.subTest(options), self.assertRaisesRegex(ArgumentError, message):
                self.corpus.explain(url, agent, **options)


class Rows(Demo):
    """Rows that cannot be judged."""

    def test_columns_are_named_with_those_that_are_there(self):
        wrong = [
            (URLS.rename_columns(["link", "number"]), {}, "url, u, metadata.url.*there are: link, number"),
            (URLS, {"url": "link"}, r"no column `link` \(url\); there are: url, number"),
            (URLS, {"url": "number"}, "column `number` is Int64; url takes strings or binary"),
            (URLS, {"origin": "site"}, r"no column `site` \(origin\)"),
            (URLS, {"origin": "number"}, "column `number` is Int64; origin takes"),
            (URLS, {"agents": None, "agent_column": "who"}, r"no column `who` \(agent_column\)"),
            (URLS, {"agents": None, "agent_column": "number"}, "column `number` is Int64; agent_column takes"),
            (URLS, {"time": "when"}, r"no column `when` \(time\)"),
            (URLS, {"keep": ["url", "title"]}, "keep: .*title"),
            (URLS, {"as_of": "row"}, 'as_of="row" .*time='),
            (pa.table([URLS["url"], URLS["url"]], names=["url", "url"]), {}, "more than one column is called `url`"),
            (pa.table({"url": URLS["url"], "robots_allowed": [1]}), {"keep": "all"}, "`robots_allowed` would be there twice"),
            (pa.table({"metadata": [{"link": "x"}]}), {"url": "metadata.url"}, "no column `metadata.url`"),
        ]
        for rows, options, message in wrong:
            with self.subTest(options):
                with self.assertRaisesRegex(RowsError, message):
                    self.corpus.evaluate(rows, **{"agents": "GPTBot", **options})
                with self.assertRaisesRegex(RowsError, message):
                    self.corpus.evaluate(rows.to_reader(), **{"agents": "GPTBot", **options})

    def test_what_is_no_rows(self):
        for rows in (None, 5, ["https://private.example.com/"], {"url": ["x"]}, iter(URLS.to_batches())):
            with self.subTest(type(rows)), self.assertRaisesRegex(RowsError, "__arrow_c_stream__"):
                self.corpus.evaluate(rows, agents="GPTBot")

    def test_a_dataset_is_scanned(self):
        whole = self.corpus.evaluate(pq.read_table(ROWS), agents="GPTBot")
        self.assertEqual(self.corpus.evaluate(ds.dataset(ROWS), agents="GPTBot").read_all(), whole)

    def test_a_series_is_no_table(self):
        with self.assertRaises(RowsError):
            self.corpus.evaluate(pl.Series("url", ["https://private.example.com/"]), agents="GPTBot")

    def test_what_a_source_raises_is_told_by_the_reader_of_verdicts(self):
        def batches():
            yield from URLS.to_batches()
            raise KeyError("the source broke")

        for threads in (1, 2):
            reader = pa.RecordBatchReader.from_batches(URLS.schema, batches())
            verdicts = self.corpus.evaluate(reader, agents="GPTBot", threads=threads)
            with self.assertRaisesRegex(pa.ArrowInvalid, "the source broke"):
                verdicts.read_all()
            # It has ended: nothing is judged after what was lost.
            self.assertEqual(list(verdicts), [])

    def test_what_an_object_raises_goes_on(self):
        class Rows:
            def __arrow_c_stream__(self, requested_schema=None):
                raise ZeroDivisionError("no stream today")

        with self.assertRaisesRegex(ZeroDivisionError, "no stream today"):
            self.corpus.evaluate(Rows(), agents="GPTBot")

    def test_no_capsule(self):
        class Rows:
            def __arrow_c_stream__(self, requested_schema=None):
                return URLS.schema.__arrow_c_schema__()

        with self.assertRaises((RowsError, ValueError)):
            self.corpus.evaluate(Rows(), agents="GPTBot")


class Corpora(Demo):
    """Corpora that cannot be opened, built or read."""

    def test_what_is_none(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for path in (self.folder / "nowhere", empty, ROWS):
            with self.subTest(path), self.assertRaisesRegex(CorpusError, str(path)):
                robosift.Corpus.open(path)

    def test_builds_that_cannot_be(self):
        with self.assertRaisesRegex(CorpusError, "demo.corpus: is there already"):
            robosift.Corpus.build(ROBOTS, self.corpus.path)
        with self.assertRaisesRegex(CorpusError, "nowhere.jsonl"):
            robosift.Corpus.build("nowhere.jsonl", self.folder / "x.corpus")
        damaged = self.folder / "damaged.jsonl"
        damaged.write_text('{"url": "https://a.example/robots.txt", "status": 200, "body": "User-agent: *"}\n{nonsense\n')
        with self.assertRaisesRegex(CorpusError, "damaged.jsonl"):
            robosift.Corpus.build(damaged, self.folder / "y.corpus")
        self.assertFalse((self.folder / "y.corpus").exists())
        robosift.Corpus.build(damaged, self.folder / "z.corpus", on_error="skip")


class Files(Demo):
    """Runs over files."""

    def setUp(self):
        self.output = folder_for(self) / "verdicts.parquet"

    def run_files(self, rows=ROWS, **options):
        asked = {"agents": "GPTBot", "corpus": self.corpus, **options}
        return robosift.eval_files(rows, asked.pop("output", self.output), **asked)

    def test_arguments(self):
        wrong = [
            ({"rows": "nowhere.parquet"}, "nowhere.parquet"),
            ({"rows": []}, "."),
            ({"compression": "brotli"}, "`brotli` is not a compression; there are: zstd, snappy, lz4, none"),
            ({"on_error": "x"}, "on_error"),
            ({"columns": "x"}, "`x` is not a verdict column"),
        ]
        for options, message in wrong:
            with self.subTest(options), self.assertRaisesRegex(ArgumentError, message):
                self.run_files(**options)
        self.assertFalse(self.output.exists())

    def test_memory_is_named(self):
        with self.assertRaisesRegex(ArgumentError, "memory"):
            self.run_files(memory="lots")

    def test_no_agent_is_told_in_words_of_python(self):
        with self.assertRaisesRegex(ArgumentError, "agents="):
            self.run_files(agents=None)

    def test_agents_beside_a_column_of_agents(self):
        with self.assertRaisesRegex(ArgumentError, "agent_column="):
            self.run_files(agent_column="agent")

    def test_missing_columns(self):
        with self.assertRaisesRegex(Error, '"link".*no such column'):
            self.run_files(url="link")

    def test_damaged_inputs(self):
        path = self.folder / "damaged.parquet"
        octets = bytearray(ROWS.read_bytes())
        octets[100:20000] = bytes(19900)
        path.write_bytes(octets)
        with self.assertRaisesRegex(FilesError, "damaged.parquet"):
            self.run_files(path)
        self.assertFalse(self.output.exists())
        counts = self.run_files(path, on_error="skip")
        self.assertEqual({str(skipped[0]) for skipped in counts["skipped"]}, {str(path)})

    def test_outputs_that_cannot_be_written(self):
        with self.assertRaises(Error):
            self.run_files(output=ROBOTS / "below_a_file.parquet")

    def test_a_corpus_that_is_none(self):
        with self.assertRaisesRegex(CorpusError, "nowhere"):
            self.run_files(corpus="nowhere")


if __name__ == "__main__":
    unittest.main()
