//! Features: kinds of octets, one bit each, that a path has or a wildcard rule needs.
//!
//! Most wildcard rules ask for something that most paths have not: a query, a dot, a digit. One
//! octet a rule and one for the path turn eight rules down at a time. Necessary, not sufficient.

use memchr::memchr;

/// A set of features.
pub(crate) type Features = u8;

/// The features of one octet.
fn features_of_octet(octet: u8) -> Features {
    let tests = [
        octet == b'?',
        octet == b'=',
        octet == b'&',
        octet == b'.',
        octet == b'_',
        octet == b'-',
        octet.is_ascii_digit(),
        octet.is_ascii_uppercase(),
    ];
    tests.iter().rev().fold(0, |set, test| set << 1 | u8::from(*test))
}

/// What the octets of `pattern`, without its anchor, ask of a path; nothing where it has no wildcard.
pub(super) fn needed_by(pattern: &[u8]) -> Features {
    match memchr(b'*', pattern) {
        Some(_) => pattern.iter().fold(0, |set, octet| set | features_of_octet(*octet)),
        None => 0,
    }
}

/// The features of a path.
///
/// # Complexity
/// One pass, sixteen octets at a time.
#[must_use]
#[inline]
pub(crate) fn features_of(path: &[u8]) -> Features {
    let (chunks, rest) = path.as_chunks::<16>();
    let mut marks = Marks::default();
    chunks.iter().for_each(|chunk| marks.add(chunk));
    match path.last_chunk::<16>() {
        Some(last) if !rest.is_empty() => marks.add(last),
        Some(_) => {}
        None => {
            let mut padded = [b'/'; 16];
            padded.iter_mut().zip(rest).for_each(|(to, octet)| *to = *octet);
            marks.add(&padded);
        }
    }
    marks.features()
}

/// What was found so far, lane by lane.
#[derive(Default)]
struct Marks {
    question: [u8; 16],
    equals: [u8; 16],
    ampersand: [u8; 16],
    dot: [u8; 16],
    underscore: [u8; 16],
    hyphen: [u8; 16],
    digit: [u8; 16],
    upper: [u8; 16],
}

impl Marks {
    // Not inlined: alone, the compiler keeps all eight lanes in registers; inside a larger loop it
    // gives up on vectors (docs/BENCHMARKS.md, tried and lost).
    #[inline(never)]
    fn add(&mut self, chunk: &[u8; 16]) {
        mark(&mut self.question, chunk, |octet| octet == b'?');
        mark(&mut self.equals, chunk, |octet| octet == b'=');
        mark(&mut self.ampersand, chunk, |octet| octet == b'&');
        mark(&mut self.dot, chunk, |octet| octet == b'.');
        mark(&mut self.underscore, chunk, |octet| octet == b'_');
        mark(&mut self.hyphen, chunk, |octet| octet == b'-');
        mark(&mut self.digit, chunk, |octet| octet.wrapping_sub(b'0') < 10);
        mark(&mut self.upper, chunk, |octet| octet.wrapping_sub(b'A') < 26);
    }

    #[inline]
    fn features(&self) -> Features {
        let lanes = [
            &self.question,
            &self.equals,
            &self.ampersand,
            &self.dot,
            &self.underscore,
            &self.hyphen,
            &self.digit,
            &self.upper,
        ];
        let holds = |lanes: &[u8; 16]| u8::from(u128::from_le_bytes(*lanes) != 0);
        lanes.iter().rev().fold(0, |set, lanes| set << 1 | holds(lanes))
    }
}

#[inline]
fn mark(found: &mut [u8; 16], chunk: &[u8; 16], test: impl Fn(u8) -> bool) {
    found.iter_mut().zip(chunk).for_each(|(found, octet)| *found |= u8::from(test(*octet)));
}

/// Which of eight sets hold nothing but what `has` holds, one bit each.
#[inline]
pub(super) fn satisfied(needs: [u8; 8], has: Features) -> u32 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let missing = u64::from_le_bytes(needs) & !u64::from_le_bytes([has; 8]);
    // The high bit of each octet that is not zero.
    let nonzero = (((missing & LOW) + LOW) | missing) & !LOW;
    let gathered = (nonzero >> 7).wrapping_mul(0x0102_0408_1020_4080);
    u32::from(!gathered.to_be_bytes()[0])
}
