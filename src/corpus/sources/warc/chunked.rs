//! The chunked transfer coding (RFC 9112, 7.1).

use memchr::memchr;

use super::payload::End;

/// Octets that a chunk's size line may have, its extensions among them.
const MAX_LINE: usize = 4 << 10;

/// Appends the chunks of `input`, joined. Line ends may be LF alone; trailers are passed over.
pub(super) fn join(input: &[u8], output: &mut Vec<u8>) -> End {
    let mut rest = input;
    loop {
        let line_len = match memchr(b'\n', rest.get(..MAX_LINE).unwrap_or(rest)) {
            Some(len) => len,
            None if rest.len() < MAX_LINE && is_size_so_far(rest) => return End::CutOff,
            None => return End::Invalid,
        };
        let line = rest.get(..line_len).unwrap_or_default();
        let Some(size) = size(line) else { return End::Invalid };
        if size == 0 {
            return End::Whole;
        }
        rest = rest.get(line_len + 1..).unwrap_or_default();
        let chunk = rest.get(..size).unwrap_or(rest);
        output.extend_from_slice(chunk);
        if chunk.len() < size {
            return End::CutOff;
        }
        rest = without_line_end(rest.get(size..).unwrap_or_default());
    }
}

/// The size in a chunk's first line: hexadecimal digits up to an extension.
fn size(line: &[u8]) -> Option<usize> {
    let size = line.split(|octet| *octet == b';').next()?.trim_ascii();
    let is_hexadecimal = !size.is_empty() && size.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(size).ok().filter(|_| is_hexadecimal)?;
    usize::from_str_radix(text, 16).ok()
}

fn is_size_so_far(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || size(line).is_some()
}

fn without_line_end(octets: &[u8]) -> &[u8] {
    let rest = octets.strip_prefix(b"\r").unwrap_or(octets);
    rest.strip_prefix(b"\n").unwrap_or(octets)
}
