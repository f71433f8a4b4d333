//! Does a body look like a web page, or like no text at all?
//!
//! After the WHATWG MIME Sniffing standard: the tags of its section 7.1 (first non-blank octets,
//! letters in either case) and its binary data octets in the resource header, which is at most
//! 1,445 octets. Constant cost.

use super::lines::byte_order_mark_len;

/// How many octets of a body are looked at.
const HEADER_LEN: usize = 1445;

/// Beginnings of a web page, lower case.
const PAGE_BEGINNINGS: [&[u8]; 20] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<body",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<br",
    b"<p",
    b"<!--",
    b"<?xml",
    b"<meta",
    b"<link",
];

/// Whether the first non-blank octets are those of an HTML or XML document.
#[must_use]
pub fn is_web_page(body: &[u8]) -> bool {
    let text = body[byte_order_mark_len(body)..].trim_ascii_start();
    text.first() == Some(&b'<')
        && PAGE_BEGINNINGS.iter().any(|beginning| begins_with_tag(text, beginning))
}

/// The tag must end where it is matched: `<b` is not the beginning of `<bots`.
fn begins_with_tag(text: &[u8], beginning: &[u8]) -> bool {
    let Some((head, tail)) = text.split_at_checked(beginning.len()) else { return false };
    let ends = !beginning[1..].iter().all(u8::is_ascii_alphanumeric)
        || matches!(tail.first(), None | Some(b'>' | b'/') | Some(b'\t'..=b'\r' | b' '));
    head.eq_ignore_ascii_case(beginning) && ends
}

/// Whether the beginning of `body` holds octets that no text has: control characters other than
/// TAB, LF, FF, CR and ESC.
#[must_use]
pub fn is_binary(body: &[u8]) -> bool {
    let header = &body[..body.len().min(HEADER_LEN)];
    // Without an early end inside a chunk, which would keep the comparison from being vector code.
    header.chunks(64).any(|chunk| chunk.iter().fold(false, |found, o| found | is_control(*o)))
}

/// A control character other than TAB, LF, FF, CR and ESC.
fn is_control(octet: u8) -> bool {
    let in_text =
        (octet == b'\t') | (octet == b'\n') | (octet == 0x0C) | (octet == b'\r') | (octet == 0x1B);
    (octet < 0x20) & !in_text
}

/// Whether a `Content-Type` value names a web page or something that is no text at all.
#[must_use]
pub fn is_page_or_binary_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let kind = essence.split('/').next().unwrap_or("");
    matches!(kind, "image" | "audio" | "video" | "font")
        || matches!(
            essence.as_str(),
            "text/html"
                | "application/xhtml+xml"
                | "application/pdf"
                | "application/zip"
                | "application/gzip"
                | "application/x-gzip"
        )
}
