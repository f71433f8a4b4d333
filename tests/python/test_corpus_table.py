"""A table file of a corpus as pyarrow reads it: types, nulls, values, and that it is mapped and not copied.

Builds nothing: tests/data/corpus_table.arrow is kept, and a Rust test holds that the same rows are still written as
exactly these octets.
"""

import datetime
import pathlib
import unittest

import pyarrow as pa

TABLE = pathlib.Path(__file__).resolve().parents[1] / "data" / "corpus_table.arrow"
SCHEMA = pa.schema(
    [
        pa.field("id", pa.uint64(), nullable=False),
        pa.field("flags", pa.uint8()),
        pa.field("status", pa.uint16(), nullable=False),
        pa.field("delta", pa.int32()),
        pa.field("time", pa.timestamp("us", tz="UTC")),
        pa.field("name", pa.string()),
        pa.field("body", pa.binary(), nullable=False),
        pa.field("large", pa.large_binary()),
        pa.field("digest", pa.binary(16)),
    ]
)
FULL = {
    "id": 2**64 - 1,
    "flags": 3,
    "status": 404,
    "delta": -1,
    "time": datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc),
    "name": "com,example)/é",
    "body": b"User-agent: *\nDisallow: /\n",
    "large": b"\x00\xff",
    "digest": b"0123456789abcdef",
}
NULLS = dict.fromkeys(FULL) | {"id": 0, "status": 0, "body": b""}
ROWS = [FULL, NULLS, NULLS | {"name": "", "large": b""}, FULL | {"id": 7, "status": 200}, NULLS]


class CorpusTable(unittest.TestCase):
    """The kept file of five rows in batches of two."""

    def setUp(self):
        self.source = pa.memory_map(str(TABLE))
        self.addCleanup(self.source.close)
        self.reader = pa.ipc.open_file(self.source)

    def test_types_and_values_are_those_written(self):
        table = self.reader.read_all()
        table.validate(full=True)
        self.assertEqual(table.schema, SCHEMA)
        self.assertEqual(table.to_pylist(), ROWS)

    def test_batches_have_the_rows_that_the_footer_says(self):
        batches = [self.reader.get_batch(nth).num_rows for nth in range(self.reader.num_record_batches)]
        self.assertEqual(batches, [2, 2, 1])
        said = {key.decode(): value.decode() for key, value in self.reader.metadata.items()}
        self.assertEqual(said, {"robosift.num_rows": "5", "robosift.rows_per_batch": "2"})

    def test_reading_copies_nothing(self):
        before = pa.total_allocated_bytes()
        table = self.reader.read_all()
        self.assertEqual(table.num_rows, 5)
        self.assertEqual(pa.total_allocated_bytes(), before)


if __name__ == "__main__":
    unittest.main()
