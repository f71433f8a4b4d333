//! Lists used again: their memory kept from one body to the next.

/// Lists that take more octets than this are given back, so that one huge body does not hold its
/// memory while others are read.
const MOST_KEPT: usize = 1 << 20;

/// An empty list in the memory of `list`, whose entries may have borrowed from something else.
#[must_use]
pub(crate) fn emptied<Old, New>(mut list: Vec<Old>) -> Vec<New> {
    list.clear();
    if list.capacity().saturating_mul(size_of::<Old>()) > MOST_KEPT {
        return Vec::new();
    }
    // Collecting in place keeps the memory where both kinds of entries are of one size.
    list.into_iter().filter_map(|_| None).collect()
}

/// Empties `list` and keeps its memory unless that is large.
pub(crate) fn empty<T>(list: &mut Vec<T>) {
    *list = emptied(std::mem::take(list));
}
