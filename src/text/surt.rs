//! Where an origin stands in the order of sort keys, without its key being written.
//!
//! Enters: canonical origins, keys as [`Origin::surt`](super::origin::Origin::surt) gives them. Leaves: how they compare. Cost: linear
//! in the shorter one, nothing allocated. Must not know: who is sorted.

use std::cmp::Ordering;

use super::origin::is_ip_address;

/// How the sort key of the canonical origin `name` compares with `key`.
#[must_use]
pub fn compare(name: &[u8], key: &[u8]) -> Ordering {
    let mut rest = key;
    for piece in pieces(name) {
        let shared = piece.len().min(rest.len());
        let (known, after) = rest.split_at(shared);
        match piece.get(..shared).unwrap_or_default().cmp(known) {
            Ordering::Equal if piece.len() > shared => return Ordering::Greater,
            Ordering::Equal => rest = after,
            other => return other,
        }
    }
    if rest.is_empty() { Ordering::Equal } else { Ordering::Less }
}

/// The sort key of a canonical origin, in pieces.
fn pieces(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (scheme, host_port): (&[u8], _) = match name.strip_prefix(b"https://") {
        Some(after) => (b"https", after),
        None => (b"http", name.strip_prefix(b"http://").unwrap_or(name)),
    };
    let (host, port) = host_port.split_at(host_len(host_port));
    // A host that is no address may end in a digit, but few do.
    let may_be_address = host.first() == Some(&b'[') || host.last().is_some_and(u8::is_ascii_digit);
    let is_whole = may_be_address && std::str::from_utf8(host).is_ok_and(is_ip_address);
    let labels = host.rsplit(move |octet| *octet == b'.' && !is_whole).enumerate();
    let host = labels.flat_map(|(nth, label)| {
        let comma: &[u8] = if nth > 0 { b"," } else { b"" };
        [comma, label]
    });
    host.chain([port, b")", scheme])
}

/// Octets before the port's colon.
fn host_len(host_port: &[u8]) -> usize {
    match host_port.last() {
        Some(b']') => host_port.len(),
        _ => memchr::memrchr(b':', host_port).unwrap_or(host_port.len()),
    }
}
