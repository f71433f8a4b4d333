"""WARC files as warcio writes them, given to the binary as a corpus: every kind of record, plain and compressed.

Builds nothing: ROBOSIFT_BIN names the binary (scripts/test sets it).
"""

import gzip
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2026-11-30T12:00:00Z"
REFUSING = b"User-agent: *\nDisallow: /x\n"
# Host, status line, HTTP fields, payload as sent, verdict on /x, its basis.
SITES = [
    ("plain", "200 OK", [("Content-Type", "text/plain")], REFUSING, False, "rule"),
    ("open", "200 OK", [], b"User-agent: *\nDisallow:\n", True, "no_rule"),
    ("empty", "200 OK", [], b"", True, "no_rules"),
    ("missing", "404 Not Found", [], b"<html>Disallow: /</html>", True, "unavailable"),
    ("down", "503 Service Unavailable", [], b"", False, "unreachable"),
    ("moved", "301 Moved", [("Location", "https://plain.example/robots.txt")], b"", False, "rule"),
    ("gzip", "200 OK", [("Content-Encoding", "gzip")], gzip.compress(REFUSING), False, "rule"),
    ("deflate", "200 OK", [("Content-Encoding", "deflate")], zlib.compress(REFUSING), False, "rule"),
    ("claims", "200 OK", [("Content-Encoding", "gzip")], REFUSING, False, "rule"),
    ("decoded", "200 OK", [("X-Crawl-Content-Encoding", "br")], REFUSING, False, "rule"),
    ("chunked", "200 OK", [("Transfer-Encoding", "chunked")], b"1b\r\n" + REFUSING + b"\r\n0\r\n\r\n", False, "rule"),
    ("large", "200 OK", [], b"# comment\n" * 30_000 + REFUSING, False, "rule"),
]


def url(host: str) -> str:
    return f"https://{host}.example/robots.txt"


def http(line: str, fields: list) -> StatusAndHeaders:
    return StatusAndHeaders(line, fields, protocol="HTTP/1.1")


def write(compressed: bool, version: str) -> bytes:
    """A file with all sites, a request before each, and records of every other kind."""
    output = io.BytesIO()
    writer = WARCWriter(output, gzip=compressed, warc_version=version)
    writer.write_record(writer.create_warcinfo_record("made.warc", {"software": "warcio"}))
    dated = {"WARC-Date": DATE}
    for host, line, fields, payload, _, _ in SITES:
        request = StatusAndHeaders("GET /robots.txt HTTP/1.1", [("Host", host)], is_http_request=True)
        writer.write_record(writer.create_warc_record(url(host), "request", http_headers=request, warc_headers_dict=dated))
        record = writer.create_warc_record(
            url(host), "response", payload=io.BytesIO(payload), http_headers=http(line, fields), warc_headers_dict=dated
        )
        writer.write_record(record)
    writer.write_record(
        writer.create_revisit_record(
            url("revisit"), "sha1:ABC", url("plain"), DATE, http_headers=http("200 OK", []), warc_headers_dict=dated
        )
    )
    others = [
        ("metadata", url("plain"), "application/warc-fields", b"fetchTimeMs: 7\r\n"),
        ("conversion", url("plain"), "text/plain", b"User-agent: *\nDisallow: /\n"),
        ("resource", url("resource"), "text/plain", REFUSING),
        ("resource", "https://plain.example/picture.png", "image/png", b"\x89PNG\r\n"),
    ]
    for kind, place, media_type, payload in others:
        record = writer.create_warc_record(
            place, kind, payload=io.BytesIO(payload), warc_content_type=media_type, warc_headers_dict=dated
        )
        writer.write_record(record)
    return output.getvalue()


class WrittenByWarcio(unittest.TestCase):
    def check(self, name: str, octets: bytes):
        hosts = [(host, allowed, basis) for host, _, _, _, allowed, basis in SITES]
        hosts += [("revisit", None, "no_capture"), ("resource", False, "rule")]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / name).write_bytes(octets)
            pq.write_table(pa.table({"url": [f"https://{host}.example/x" for host, _, _ in hosts]}), path / "rows.parquet")
            binary = pathlib.Path(os.environ["ROBOSIFT_BIN"]).resolve()
            command = [binary, "eval", "--json", "--corpus", name, "--agent", "GPTBot", "rows.parquet", "-o", "out.parquet"]
            done = subprocess.run(command, cwd=path, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(done.stdout)
            verdicts = pq.read_table(path / "out.parquet", columns=["robots_allowed", "robots_basis"]).to_pylist()
        found = [(host, *verdict.values()) for (host, _, _), verdict in zip(hosts, verdicts, strict=True)]
        self.assertEqual(found, hosts)

    def test_a_member_for_each_record(self):
        self.check("made.warc.gz", write(True, "1.0"))

    def test_plain_and_version_1_1(self):
        self.check("made.warc", write(False, "1.1"))

    def test_one_member_for_all(self):
        self.check("made.warc.gz", gzip.compress(write(False, "1.0")))

    def test_one_frame_for_all(self):
        self.check("made.warc.zst", pa.compress(write(False, "1.1"), codec="zstd", asbytes=True))


if __name__ == "__main__":
    unittest.main()
