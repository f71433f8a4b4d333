//! Sixteen octets at a time give the answers that one at a time gives.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use robosift::text::lanes::{
    LANES, Lanes, agreeing_of_eight, agreeing_of_four, agreeing_of_sixteen, filled,
    for_covering_chunks, for_each_chunk,
};

/// Octets of which many are the same, the ends of the signed and of the unsigned range among them.
fn octet() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => prop::sample::select(&[0_u8, 1, b'a', b'b', 0x7F, 0x80, 0x81, 0xFE, 0xFF][..]),
        1 => any::<u8>(),
    ]
}

fn chunk() -> impl Strategy<Value = [u8; LANES]> {
    prop::array::uniform16(octet())
}

/// One bit for each octet that `holds`.
fn bits(octets: &[u8], holds: impl Fn(u8) -> bool) -> u32 {
    octets.iter().enumerate().map(|(at, octet)| u32::from(holds(*octet)) << at).sum()
}

/// The bits of octets that have all bits set, where all others have none.
fn whole(lanes: Lanes) -> Option<u32> {
    let set = lanes.equals(Lanes::all(0xFF)).high_bits();
    let unset = lanes.equals(Lanes::all(0)).high_bits();
    (set ^ unset == 0xFFFF).then_some(set)
}

/// One bit for each word of four octets that agrees with `one`.
fn agreeing(one: [u8; 4], words: &[u8]) -> u32 {
    let agrees = |word: &[u8]| word.iter().zip(one).all(|(w, o)| *w == 0 || *w == o);
    let words = words.chunks(4).enumerate();
    words.map(|(at, word)| u32::from(agrees(word)) << at).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn comparisons_set_all_bits_or_none(
        one in chunk(),
        other in chunk(),
        wanted in octet(),
        bounds in (octet(), octet()),
    ) {
        let lanes = Lanes::new(&one);
        prop_assert_eq!(whole(lanes.is(wanted)), Some(bits(&one, |octet| octet == wanted)));
        let (first, last) = (bounds.0.min(bounds.1), bounds.0.max(bounds.1));
        let within = bits(&one, |octet| (first..=last).contains(&octet));
        prop_assert_eq!(whole(lanes.is_in(first, last)), Some(within));
        let same = one.iter().zip(other).enumerate();
        let same = same.map(|(at, (one, other))| u32::from(*one == other) << at).sum::<u32>();
        prop_assert_eq!(whole(lanes.equals(Lanes::new(&other))), Some(same));
    }

    #[test]
    fn bits_are_joined_octet_by_octet(one in chunk(), other in chunk()) {
        let pair = || one.iter().zip(other);
        let lanes = (Lanes::new(&one), Lanes::new(&other));
        let is = |lanes: Lanes, wanted: Vec<u8>| {
            lanes.equals(Lanes::new(&filled(&wanted, 0))).high_bits() == 0xFFFF
        };
        prop_assert!(is(lanes.0.and(lanes.1), pair().map(|(one, other)| one & other).collect()));
        prop_assert!(is(lanes.0.or(lanes.1), pair().map(|(one, other)| one | other).collect()));
        prop_assert_eq!(lanes.0.high_bits(), bits(&one, |octet| octet >= 0x80));
        prop_assert_eq!(lanes.0.united(), one.iter().fold(0, |all, octet| all | octet));
    }

    #[test]
    fn a_single_bit_is_seen_at_every_place(at in 0..LANES, bit in 0..8_u32) {
        let mut octets = [0; LANES];
        octets[at] = 1 << bit;
        let lanes = Lanes::new(&octets);
        prop_assert_eq!(lanes.united(), 1 << bit);
        prop_assert_eq!(lanes.high_bits(), u32::from(bit == 7) << at);
        prop_assert_eq!(whole(lanes.is(0)), Some(0xFFFF & !(1 << at)));
    }

    #[test]
    fn words_agree_whose_octets_are_the_same_or_zero(
        one in prop::array::uniform4(octet()),
        kept in vec(any::<u8>(), 4 * LANES),
        others in vec(octet(), 4 * LANES),
    ) {
        // Most octets are those asked for or 0, so that whole words often agree.
        let mixed = kept.iter().zip(&others).enumerate();
        let words = mixed.map(|(at, (kept, other))| match kept {
            0..100 => one[at % 4],
            100..200 => 0,
            _ => *other,
        });
        let words: Vec<u8> = words.collect();
        let (eight, sixteen) = (filled(&words, 0), filled(&words, 0));
        let four = filled(&words, 0);
        prop_assert_eq!(agreeing_of_four(one, &four), agreeing(one, &four));
        prop_assert_eq!(agreeing_of_eight(one, &eight), agreeing(one, &eight));
        prop_assert_eq!(agreeing_of_sixteen(one, &sixteen), agreeing(one, &words));
    }

    #[test]
    fn chunks_hold_every_octet_and_no_other(text in vec(octet(), 0..70), filler in any::<u8>()) {
        let mut wanted: Vec<Vec<u8>> = text.chunks_exact(LANES).map(<[u8]>::to_vec).collect();
        if text.len() % LANES > 0 {
            wanted.push(match text.len().checked_sub(LANES) {
                Some(start) => text[start..].to_vec(),
                None => [&text, &vec![filler; LANES - text.len()][..]].concat(),
            });
        }
        let mut seen = 0;
        for_each_chunk(&text, filler, |lanes| {
            let chunk: [u8; LANES] = filled(&wanted[seen], 0);
            assert_eq!(lanes.equals(Lanes::new(&chunk)).high_bits(), 0xFFFF, "chunk {seen}");
            seen += 1;
        });
        prop_assert_eq!(seen, wanted.len());
    }

    #[test]
    fn covering_chunks_hold_every_octet_and_no_other(text in vec(any::<u8>(), 0..100)) {
        let mut wanted: BTreeSet<u8> = text.iter().copied().collect();
        let mut seen = BTreeSet::new();
        for_covering_chunks(&text, b'/', |lanes| {
            seen.extend((0..=u8::MAX).filter(|octet| lanes.is(*octet).high_bits() != 0));
        });
        if text.len() < 8 {
            seen.remove(&b'/');
            wanted.remove(&b'/');
        }
        prop_assert_eq!(seen, wanted);
    }

    #[test]
    fn short_texts_are_filled_up(text in vec(octet(), 0..12), filler in any::<u8>()) {
        let chunk: [u8; 8] = filled(&text, filler);
        let wanted = text.iter().copied().chain(std::iter::repeat(filler)).take(8);
        prop_assert_eq!(chunk.to_vec(), wanted.collect::<Vec<u8>>());
    }
}
