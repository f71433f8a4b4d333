"""Streams are read as they are judged, buffers change hands, other threads go on, rows are counted on."""

import sys
import threading
import time
import unittest

import pyarrow as pa

from support import Demo

#: Rows that are judged in one go: a stream is read ahead by so many for each thread.
PIECE_ROWS = 1 << 16
URL = "https://private.example.com/x"


def addresses(column: pa.Array | pa.ChunkedArray) -> list:
    """Where the buffers of a column's chunks lie; a bitmap of nulls may be left out where there are none."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    found = []
    for chunk in chunks:
        nulls, *values = chunk.buffers()
        found.append([nulls.address if chunk.null_count else None, *(buffer.address for buffer in values)])
    return found


class Source:
    """A reader that counts the batches that were taken of it."""

    def __init__(self, num_batches: int, num_rows: int) -> None:
        self.batch = pa.record_batch({"url": [URL] * num_rows})
        self.num_batches = num_batches
        self.taken = 0

    def reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self.batch.schema, self.batches())

    def batches(self):
        for _ in range(self.num_batches):
            self.taken += 1
            yield self.batch


class Lazy(Demo):
    def test_nothing_is_read_before_it_is_wanted(self):
        source = Source(num_batches=5, num_rows=10)
        verdicts = self.corpus.evaluate(source.reader(), agents="GPTBot")
        self.assertEqual(verdicts.schema.names[0], "robots_allowed")
        self.assertEqual(source.taken, 0)

    def test_one_thread_reads_one_batch_at_a_time(self):
        source = Source(num_batches=5, num_rows=10)
        verdicts = self.corpus.evaluate(source.reader(), agents="GPTBot", threads=1)
        for taken in range(1, 6):
            self.assertEqual(verdicts.read_next_batch().num_rows, 10)
            self.assertEqual(source.taken, taken)

    def test_threads_read_ahead_by_a_piece_each_and_no_more(self):
        for num_rows in (1000, PIECE_ROWS, 3 * PIECE_ROWS):
            source = Source(num_batches=600, num_rows=num_rows)
            verdicts = self.corpus.evaluate(source.reader(), agents="GPTBot", threads=2)
            self.assertLessEqual(verdicts.read_next_batch().num_rows, PIECE_ROWS)
            self.assertLessEqual((source.taken - 1) * num_rows, 2 * PIECE_ROWS)

    def test_what_was_judged_is_let_go(self):
        source = Source(num_batches=1500, num_rows=1000)
        source.batch = pa.record_batch({"url": pa.array([URL] * 1000)})
        verdicts = self.corpus.evaluate(source.reader(), agents="GPTBot", threads=2, keep="all")
        total = before = pa.total_allocated_bytes()
        for _ in verdicts:
            total = max(total, pa.total_allocated_bytes())
        self.assertLess(total - before, 1 << 20)
        self.assertEqual(source.taken, 1500)

    def test_a_stream_may_be_dropped_half_read(self):
        source = Source(num_batches=1000, num_rows=1000)
        verdicts = self.corpus.evaluate(source.reader(), agents="GPTBot", threads=2)
        verdicts.read_next_batch()
        del verdicts
        self.assertLess(source.taken, 1000)


class Counting(Demo):
    """`robots_row` is the position in the stream, whatever its batches."""

    def numbers(self, rows: object, **asked) -> list:
        verdicts = self.corpus.evaluate(rows, agents="GPTBot", columns="row,allowed", **asked)
        table = verdicts.read_all() if isinstance(verdicts, pa.RecordBatchReader) else verdicts
        return table["robots_row"].to_pylist()

    def test_rows_are_counted_on_over_batches(self):
        for threads in (1, 2, 5):
            source = Source(num_batches=300, num_rows=700)
            self.assertEqual(self.numbers(source.reader(), threads=threads), list(range(300 * 700)))

    def test_rows_are_counted_on_over_pieces_of_long_batches(self):
        rows = pa.table({"url": [URL] * (2 * PIECE_ROWS + 5)})
        for threads in (1, 2):
            self.assertEqual(self.numbers(rows, threads=threads), list(range(2 * PIECE_ROWS + 5)))

    def test_each_call_counts_from_its_own_first_row(self):
        judge = self.corpus.evaluator(agents="GPTBot", columns="row")
        for _ in range(2):
            self.assertEqual(judge(self.rows.slice(500, 3))["robots_row"].to_pylist(), [0, 1, 2])

    def test_threads_change_no_verdict(self):
        rows = pa.concat_tables([self.rows] * 80)
        one = self.corpus.evaluate(rows, agent_column="agent", columns="full", threads=1)
        for threads in (0, 2, 7):
            self.assertEqual(self.corpus.evaluate(rows, agent_column="agent", columns="full", threads=threads), one)


class ZeroCopy(Demo):
    def test_kept_columns_of_a_table_are_those_that_came_in(self):
        verdicts = self.corpus.evaluate(self.rows, agents="GPTBot", keep="all")
        for name in self.rows.column_names:
            self.assertEqual(addresses(verdicts[name]), addresses(self.rows[name]), name)

    def test_kept_columns_of_a_stream_are_those_that_came_in(self):
        batches = self.rows.to_batches()
        verdicts = self.corpus.evaluate(pa.RecordBatchReader.from_batches(self.rows.schema, batches), agents="GPTBot", keep="all")
        for batch, judged in zip(batches, verdicts, strict=True):
            for name in self.rows.column_names:
                self.assertEqual(addresses(judged[name]), addresses(batch[name]), name)

    def test_pieces_of_a_long_batch_share_its_buffers(self):
        batch = pa.record_batch({"url": [URL] * (3 * PIECE_ROWS)})
        verdicts = self.corpus.evaluate(pa.Table.from_batches([batch]), agents="GPTBot", keep="all")
        self.assertGreater(verdicts["url"].num_chunks, 1)
        for chunk in addresses(verdicts["url"]):
            self.assertEqual(chunk[2], batch["url"].buffers()[2].address)

    def test_rows_are_held_by_the_verdicts_that_keep_them(self):
        rows = pa.table({"url": [URL, "https://open.example.com/y"]})
        verdicts = self.corpus.evaluate(rows, agents="GPTBot", keep="all")
        del rows
        self.assertEqual(verdicts["url"].to_pylist(), [URL, "https://open.example.com/y"])

    def test_a_stream_on_the_way_allocates_nothing_of_arrow(self):
        rows = pa.table({"url": [URL] * 200_000})
        before = pa.total_allocated_bytes()
        self.corpus.evaluate(rows, agents="GPTBot", keep="all")
        self.assertEqual(pa.total_allocated_bytes(), before)


class OtherThreads(Demo):
    """The interpreter is let go while rows are judged."""

    def counted_meanwhile(self, work) -> int:
        """How far another thread counts while this one works."""
        counted, is_over, started = 0, threading.Event(), threading.Event()

        def count() -> None:
            nonlocal counted
            started.set()
            while not is_over.is_set():
                counted += 1
                time.sleep(0.0001)

        counter = threading.Thread(target=count)
        interval = sys.getswitchinterval()
        # With the default interval it would come to count although this thread held on to the interpreter; so not here. It lets go itself.
        sys.setswitchinterval(60)
        try:
            counter.start()
            started.wait()
            before = counted
            work()
            after = counted
        finally:
            is_over.set()
            sys.setswitchinterval(interval)
            counter.join()
        return after - before

    def test_another_thread_counts_on(self):
        rows = pa.table({"url": [f"https://private.example.com/{n}?q={n * n}" for n in range(400_000)]})
        judge = self.corpus.evaluator(agents="GPTBot,CCBot", columns="full", threads=1)
        self.assertGreater(self.counted_meanwhile(lambda: judge(rows)), 20)

    def test_threads_share_an_evaluator(self):
        judge = self.corpus.evaluator(agents="GPTBot", columns="full")
        expected = judge(self.rows)
        found = []
        threads = [threading.Thread(target=lambda: found.append([judge(self.rows) for _ in range(5)])) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 6)
        for verdicts in found:
            self.assertTrue(all(table == expected for table in verdicts))


if __name__ == "__main__":
    unittest.main()
