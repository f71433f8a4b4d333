"""Rows of every kind in, verdicts of the same kind out, equal whatever the rows came as."""

import datetime
import decimal
import unittest

import duckdb
import polars as pl
import pyarrow as pa

from robosift import RowsError

from support import ROWS, Demo

ASKED = {"agents": "GPTBot", "columns": "full", "as_of": "latest"}
#: Types of a column of URLs, with how one is made of strings.
URL_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.uint32(), pa.binary()),
    pa.dictionary(pa.int64(), pa.large_string()),
    pa.dictionary(pa.int32(), pa.string_view()),
]
PRIVATE = "https://private.example.com/x"
UTC = datetime.timezone.utc


def cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Strings as a column of this type."""
    if pa.types.is_dictionary(kind):
        encoded = column.dictionary_encode()
        return pa.DictionaryArray.from_arrays(encoded.indices.cast(kind.index_type), encoded.dictionary.cast(kind.value_type))
    return column.cast(kind)


class Kinds(Demo):
    """The library decides the form, not the verdicts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.expected = cls.corpus.evaluate(cls.rows, **ASKED)

    def test_table_gives_table(self):
        self.assertIsInstance(self.expected, pa.Table)
        self.assertEqual(self.expected.num_rows, 2000)
        counted = self.expected["robots_allowed"].to_pylist()
        self.assertEqual([counted.count(allowed) for allowed in (True, False, None)], [1073, 806, 121])

    def test_chunks_change_nothing(self):
        pieces = [self.rows.slice(start, length) for start, length in ((0, 1), (1, 0), (1, 699), (700, 1300))]
        self.assertEqual(self.corpus.evaluate(pa.concat_tables(pieces), **ASKED), self.expected)

    def test_record_batch_gives_record_batch(self):
        (batch,) = self.rows.combine_chunks().to_batches()
        verdicts = self.corpus.evaluate(batch, **ASKED)
        self.assertIsInstance(verdicts, pa.RecordBatch)
        self.assertEqual(pa.Table.from_batches([verdicts]), self.expected)

    def test_slices_are_judged_by_their_own_rows(self):
        (batch,) = self.rows.combine_chunks().to_batches()
        asked = ASKED | {"columns": "allowed,rule_id,origin"}
        whole = self.corpus.evaluate(batch, **asked)
        for start, length in ((0, 3), (5, 1000), (1990, 10), (7, 0)):
            self.assertEqual(self.corpus.evaluate(batch.slice(start, length), **asked), whole.slice(start, length))

    def test_reader_gives_reader(self):
        verdicts = self.corpus.evaluate(self.rows.to_reader(max_chunksize=300), **ASKED)
        self.assertIsInstance(verdicts, pa.RecordBatchReader)
        self.assertEqual(verdicts.read_all(), self.expected)

    def test_polars_gives_polars(self):
        verdicts = self.corpus.evaluate(pl.read_parquet(ROWS), **ASKED)
        self.assertIsInstance(verdicts, pl.DataFrame)
        self.assertTrue(verdicts.equals(pl.from_arrow(self.expected)))

    def test_lazy_frames_are_refused_with_advice(self):
        with self.assertRaisesRegex(RowsError, "LazyFrame.*collect"):
            self.corpus.evaluate(pl.scan_parquet(ROWS), **ASKED)

    def test_duckdb_relation_gives_reader(self):
        verdicts = self.corpus.evaluate(duckdb.sql(f"SELECT * FROM '{ROWS}'"), **ASKED)
        self.assertIsInstance(verdicts, pa.RecordBatchReader)
        self.assertEqual(verdicts.read_all(), self.expected)

    def test_pandas_gives_reader(self):
        verdicts = self.corpus.evaluate(self.rows.to_pandas(), **ASKED)
        self.assertEqual(verdicts.read_all(), self.expected)

    def test_whatever_speaks_the_interface_is_taken(self):
        class Rows:
            def __arrow_c_stream__(inner, requested_schema=None):
                return self.rows.__arrow_c_stream__(requested_schema)

        self.assertEqual(self.corpus.evaluate(Rows(), **ASKED).read_all(), self.expected)

    def test_empty_rows_give_empty_verdicts_of_the_same_columns(self):
        none = self.rows.slice(0, 0)
        table = self.corpus.evaluate(none, **ASKED)
        self.assertEqual((table.num_rows, table.schema), (0, self.expected.schema))
        batch = self.corpus.evaluate(pa.RecordBatch.from_pylist([], schema=none.schema), **ASKED)
        self.assertEqual((batch.num_rows, batch.schema), (0, self.expected.schema))
        reader = self.corpus.evaluate(none.to_reader(), **ASKED)
        self.assertEqual((reader.schema, reader.read_all().num_rows), (self.expected.schema, 0))
        frame = self.corpus.evaluate(pl.from_arrow(none), **ASKED)
        self.assertEqual((frame.height, frame.columns), (0, self.expected.column_names))
        relation = self.corpus.evaluate(duckdb.sql(f"SELECT * FROM '{ROWS}' LIMIT 0"), **ASKED)
        self.assertEqual(relation.read_all().num_rows, 0)

    def test_schema_is_told_without_rows(self):
        judge = self.corpus.evaluator(keep="all", **ASKED)
        self.assertEqual(judge.schema(self.rows.schema), judge(self.rows).schema)

    def test_used_up_readers_have_no_rows(self):
        reader = self.rows.to_reader()
        self.assertEqual(self.corpus.evaluate(reader, **ASKED).read_all().num_rows, 2000)
        self.assertEqual(self.corpus.evaluate(reader, **ASKED).read_all().num_rows, 0)


class UrlColumns(Demo):
    """What a column of URLs may be."""

    def test_every_type_of_strings(self):
        urls = self.rows["url"].combine_chunks().slice(0, 120)
        asked = {"agents": "GPTBot", "columns": "allowed,basis,rule_id,origin"}
        expected = self.corpus.evaluate(pa.table({"url": urls}), **asked)
        self.assertGreater(len(set(expected["robots_basis"].to_pylist())), 2)
        for kind in URL_TYPES:
            with self.subTest(str(kind)):
                rows = pa.table({"url": cast(urls, kind)})
                self.assertEqual(rows.schema.field("url").type, kind)
                self.assertEqual(self.corpus.evaluate(rows, **asked), expected)

    def test_polars_categories(self):
        frame = pl.DataFrame({"url": [PRIVATE, None, PRIVATE]}, schema={"url": pl.Categorical})
        self.assertEqual(self.corpus.evaluate(frame, agents="GPTBot")["robots_allowed"].to_list(), [False, None, False])

    def test_null_and_invalid_urls_have_no_verdict(self):
        urls = [None, b"", b"https://private.example.com/\xff\xfe", b"\xff\xfe", b"ftp://private.example.com/", PRIVATE.encode()]
        rows = pa.table({"url": pa.array(urls, pa.binary())})
        verdicts = self.corpus.evaluate(rows, agents="GPTBot").to_pylist()
        found = [(verdict["robots_allowed"], verdict["robots_basis"]) for verdict in verdicts]
        bad = (None, "bad_url")
        self.assertEqual(found, [bad, bad, bad, bad, bad, (False, "rule")])

    def test_null_dictionary_values_and_indices(self):
        urls = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0], pa.int32()), pa.array([PRIVATE, None]))
        verdicts = self.corpus.evaluate(pa.table({"url": urls}), agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, None, None, False])

    def test_structs_by_dotted_names(self):
        verdicts = self.corpus.evaluate(pa.table({"metadata": [{"url": PRIVATE}, {"url": None}, None]}), agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, None, None])
        deep = pa.table({"a": [{"b": {"c": PRIVATE}}, {"b": None}, None], "url": ["https://open.example.com/"] * 3})
        verdicts = self.corpus.evaluate(deep, url="a.b.c", agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, None, None])

    def test_a_null_struct_hides_what_its_child_holds(self):
        child = pa.array([PRIVATE, PRIVATE])
        outer = pa.StructArray.from_arrays([child], ["url"], mask=pa.array([False, True]))
        verdicts = self.corpus.evaluate(pa.table({"metadata": outer}), agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, None])

    def test_a_column_with_the_whole_name_comes_before_a_struct(self):
        rows = pa.table({"metadata.url": [PRIVATE], "metadata": [{"url": "https://open.example.com/"}]})
        self.assertEqual(self.corpus.evaluate(rows, agents="GPTBot")["robots_allowed"].to_pylist(), [False])

    def test_origins_beside_paths(self):
        rows = pa.table({"path": ["/x", "/x", "x?"], "site": ["https://private.example.com", "https://open.example.com", None]})
        verdicts = self.corpus.evaluate(rows, url="path", origin="site", agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, True, None])


    def test_every_type_in_structs_and_slices_of_them(self):
        urls = pa.array([PRIVATE, "https://open.example.com/", PRIVATE, None, PRIVATE])
        for kind in URL_TYPES:
            outer = pa.StructArray.from_arrays([cast(urls, kind)], ["url"], mask=pa.array([False, False, True, False, False]))
            expected = self.verdicts_of([PRIVATE, "https://open.example.com/", None, None, PRIVATE])
            for start, length in ((0, 5), (1, 3), (2, 3), (4, 1), (3, 0)):
                with self.subTest(str(kind), start=start):
                    for rows in (pa.table({"metadata": outer.slice(start, length)}), pa.table({"metadata": outer}).slice(start, length)):
                        found = self.corpus.evaluate(rows, agents="GPTBot").to_pylist()
                        self.assertEqual(found, expected[start : start + length])

    def test_a_column_of_nulls_alone(self):
        rows = pa.Table.from_pylist([{"url": None}, {"url": None}])
        self.assertEqual(rows.schema.field("url").type, pa.null())
        self.assertEqual(self.corpus.evaluate(rows, agents="GPTBot")["robots_basis"].to_pylist(), ["bad_url", "bad_url"])

    def test_chunks_of_dictionaries_that_differ(self):
        chunks = [pa.array(part).dictionary_encode() for part in ([PRIVATE, None], ["https://open.example.com/", PRIVATE])]
        verdicts = self.corpus.evaluate(pa.table({"url": pa.chunked_array(chunks)}), agents="GPTBot")
        self.assertEqual(verdicts["robots_allowed"].to_pylist(), [False, None, True, False])


#: Columns that may stand beside the URLs, two values each.
OTHER_COLUMNS = {
    "sparse union": pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
    "dense union": pa.UnionArray.from_dense(pa.array([0, 1], pa.int8()), pa.array([0, 0], pa.int32()), [pa.array([1]), pa.array(["b"])]),
    "map": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int32())),
    "list": pa.array([[1], None]),
    "large list": pa.array([[1], None], pa.large_list(pa.int8())),
    "list of a size": pa.array([[1, 2], None], pa.list_(pa.int8(), 2)),
    "list view": pa.array([[1], None], pa.list_view(pa.int8())),
    "runs": pa.RunEndEncodedArray.from_arrays([2], pa.array(["x"])),
    "decimal 32": pa.array([decimal.Decimal("1.5"), None], pa.decimal32(5, 2)),
    "decimal 256": pa.array([decimal.Decimal("1.5"), None], pa.decimal256(50, 2)),
    "half": pa.array([1.5, None], pa.float32()).cast(pa.float16()),
    "interval": pa.array([(1, 2, 3), None], pa.month_day_nano_interval()),
    "duration": pa.array([1, None], pa.duration("ns")),
    "time": pa.array([1, None], pa.time32("s")),
    "UUID": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0123456789abcdef"] * 2, pa.binary(16))),
    "string view": pa.array(["x" * 40, None], pa.string_view()),
    "null": pa.nulls(2),
    "struct": pa.array([{"a": None}, None], pa.struct([("a", pa.int8())])),
    "empty struct": pa.array([{}, None], pa.struct([])),
    "dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a", "b"]), ordered=True),
}


class OtherColumns(Demo):
    """Columns of any type go through as they are."""

    def test_types(self):
        for name, column in OTHER_COLUMNS.items():
            with self.subTest(name):
                rows = pa.table({"url": [PRIVATE, PRIVATE], "x": column})
                kept = self.corpus.evaluate(rows, agents="GPTBot", keep="all")
                self.assertTrue(kept["x"].equals(rows["x"]))
                self.assertTrue(kept.schema.field("x").equals(rows.schema.field("x"), check_metadata=True))
                sliced = self.corpus.evaluate(rows.slice(1), agents="GPTBot", keep="all")
                self.assertEqual(sliced["x"].to_pylist(), rows["x"].to_pylist()[1:])
                long = self.corpus.evaluate(rows, agents="GPTBot,CCBot", keep="all", layout="long")
                self.assertEqual(long["x"].to_pylist(), [value for value in rows["x"].to_pylist() for _ in range(2)])

    def test_what_fields_say_is_kept(self):
        field = pa.field("x", pa.int8(), nullable=False, metadata={"unit": "octets"})
        rows = pa.table([[PRIVATE], pa.array([1], pa.int8())], schema=pa.schema([pa.field("url", pa.string()), field]))
        kept = self.corpus.evaluate(rows, agents="GPTBot", keep="all").schema.field("x")
        self.assertTrue(kept.equals(field, check_metadata=True))

    def test_a_column_kept_twice_is_refused(self):
        with self.assertRaisesRegex(ValueError, "url.*twice"):
            self.corpus.evaluate(self.rows, agents="GPTBot", keep=["url", "url"])


class Output(Demo):
    """Which columns come out, and how many rows."""

    def test_kept_columns_stand_in_front_as_they_were(self):
        plain = self.corpus.evaluate(self.rows, agents="GPTBot")
        for keep, names in (("all", self.rows.column_names), (["dump", "url"], ["dump", "url"]), ("agent", ["agent"])):
            with self.subTest(keep):
                verdicts = self.corpus.evaluate(self.rows, agents="GPTBot", keep=keep)
                self.assertEqual(verdicts.column_names, names + plain.column_names)
                self.assertEqual(verdicts.select(names), self.rows.select(names))
                self.assertEqual(verdicts.select(plain.column_names), plain)
        self.assertEqual(self.corpus.evaluate(self.rows, agents="GPTBot", keep="none"), plain)

    def test_several_agents_stand_side_by_side(self):
        verdicts = self.corpus.evaluate(self.rows, agents=["GPTBot", "CCBot"], columns=["allowed", "basis"])
        names = ["robots_allowed_gptbot", "robots_basis_gptbot", "robots_allowed_ccbot", "robots_basis_ccbot"]
        self.assertEqual(sorted(verdicts.column_names), sorted(names))
        for agent in ("GPTBot", "CCBot"):
            alone = self.corpus.evaluate(self.rows, agents=agent)
            self.assertEqual(verdicts[f"robots_allowed_{agent.lower()}"], alone["robots_allowed"])
        self.assertEqual(self.corpus.evaluate(self.rows, agents="GPTBot,CCBot", columns="allowed,basis"), verdicts)

    def test_one_agent_has_a_suffix_where_wanted(self):
        names = self.corpus.evaluate(self.rows, agents="GPTBot", columns="allowed", suffix="always").column_names
        self.assertEqual(names, ["robots_allowed_gptbot"])

    def test_long_layout_has_a_row_for_each_agent(self):
        agents = ["GPTBot", "CCBot", "*"]
        long = self.corpus.evaluate(self.rows, agents=agents, layout="long", columns="full", keep=["url", "token_count"])
        self.assertEqual(long.num_rows, 3 * self.rows.num_rows)
        for place, agent in enumerate(agents):
            alone = self.corpus.evaluate(self.rows, agents=agent, columns="full", keep=["url", "token_count"])
            every_third = long.take(pa.array(range(place, long.num_rows, 3)))
            names = [name for name in alone.column_names if name != "robots_agent"]
            self.assertEqual(every_third.select(names), alone.select(names))
            self.assertEqual(set(every_third["robots_agent"].to_pylist()), {agent})

    def test_agent_column_asks_for_each_row_its_own(self):
        verdicts = self.corpus.evaluate(self.rows, agent_column="agent", as_of="latest")
        counted = verdicts["robots_allowed"].to_pylist()
        self.assertEqual([counted.count(allowed) for allowed in (True, False, None)], [1105, 757, 138])
        bases = verdicts["robots_basis"].to_pylist()
        self.assertEqual((bases.count("bad_agent"), bases.count("bad_url")), (19, 18))

    def test_agent_columns_may_be_dictionaries(self):
        at = self.rows.column_names.index("agent")
        encoded = self.rows.set_column(at, "agent", self.rows["agent"].dictionary_encode())
        plain = self.corpus.evaluate(self.rows, agent_column="agent", columns="full")
        self.assertEqual(self.corpus.evaluate(encoded, agent_column="agent", columns="full"), plain)

    def test_sets_of_agents(self):
        names = self.corpus.evaluate(self.rows, agents="@odyssey-2025", columns="allowed").column_names
        self.assertGreater(len(names), 3)

    def test_schema_says_how_the_verdicts_came_about(self):
        metadata = self.corpus.evaluate(self.rows, agents="GPTBot", policy="closed", status=["429=allow"]).schema.metadata
        self.assertEqual(metadata[b"robosift.policy"], b"closed")
        self.assertEqual(metadata[b"robosift.agents"], b"GPTBot")
        self.assertEqual(metadata[b"robosift.corpus"].decode(), self.corpus.fingerprint)


class Times(Demo):
    """As of when: www.gazette.example changed its mind four times, weather.example once."""

    URL = "https://weather.example/a"

    def bases(self, column: pa.Array, name: str = "fetch_time", **asked) -> list:
        rows = pa.table({"url": [self.URL] * len(column), name: column})
        return self.corpus.evaluate(rows, agents="GPTBot", **asked)["robots_basis"].to_pylist()

    def test_rows_with_times_are_judged_as_of_them(self):
        days = [datetime.datetime(2026, 8, 1, tzinfo=UTC), datetime.datetime(2026, 9, 1, tzinfo=UTC), datetime.datetime(2026, 10, 1, tzinfo=UTC), None]
        expected = ["no_capture", "rule", "unavailable"]
        kinds = [
            pa.array(days, pa.timestamp("us", tz="UTC")),
            pa.array(days, pa.timestamp("s", tz="UTC")),
            pa.array(days, pa.timestamp("ns")),
            pa.array(days, pa.timestamp("ms", tz="Europe/Berlin")),
            pa.array([day and day.date() for day in days], pa.date32()),
            pa.array([day and day.strftime("%Y-%m-%dT%H:%M:%SZ") for day in days], pa.string()),
            pa.array([day and day.strftime("%Y%m%d%H%M%S") for day in days], pa.large_string()),
        ]
        for column in kinds:
            with self.subTest(str(column.type)):
                self.assertEqual(self.bases(column)[:3], expected)

    def test_a_column_is_found_by_its_name_or_named(self):
        days = pa.array([datetime.datetime(2026, 9, 1, tzinfo=UTC)], pa.timestamp("us", tz="UTC"))
        for name in ("fetch_time", "date", "timestamp"):
            self.assertEqual(self.bases(days, name), ["rule"], name)
        self.assertEqual(self.bases(days, "seen"), ["unavailable"])
        self.assertEqual(self.bases(days, "seen", time="seen"), ["rule"])

    def test_as_of_sets_one_time_for_all(self):
        days = pa.array([datetime.datetime(2026, 9, 1, tzinfo=UTC)], pa.timestamp("us", tz="UTC"))
        asked = [("latest", "unavailable"), ("2026-08-31", "rule"), ("2026-08-01", "no_capture"), ("row", "rule"), ("ever", "rule")]
        for as_of, basis in asked:
            self.assertEqual(self.bases(days, as_of=as_of), [basis], as_of)

    def test_windows_and_nearest(self):
        days = pa.array([datetime.datetime(2026, 8, 9, tzinfo=UTC), datetime.datetime(2026, 9, 9, tzinfo=UTC)], pa.timestamp("us", tz="UTC"))
        self.assertEqual(self.bases(days), ["no_capture", "rule"])
        self.assertEqual(self.bases(days, capture_window="7d"), ["no_capture", "no_capture"])
        self.assertEqual(self.bases(days, nearest=True), ["rule", "unavailable"])


if __name__ == "__main__":
    unittest.main()
