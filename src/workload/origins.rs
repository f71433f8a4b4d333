//! Names of origins whose index order is their SURT order.
//!
//! Enters: a seed and the number of origins. Leaves: the name of origin *i*, made from (seed, *i*) alone.
//! Order: reversed host labels joined by `,`, then port, then scheme. Every suffix (`com`, `co.uk`) owns a stretch of
//! the indices; a stretch is cut into blocks of eight origins over five domains; a domain's number is spelled in a
//! positional system whose digits are words and syllables, none a prefix of another, so larger numbers sort later.
//! Cost: well under a microsecond a name, no memory per origin. Must not know: statuses, bodies, rows.

use idna::punycode;

use super::name_parts::{FOREIGN_LETTERS, NAME_ENDS, STEMS, SUBDOMAINS, SUFFIXES, SYLLABLES};
use super::random::{Random, Stream};

/// Origins in a block.
const BLOCK_ORIGINS: u64 = 8;
/// Domains in a block.
const BLOCK_DOMAINS: u64 = 5;
/// Share of international names in a suffix, in thousandths.
const FOREIGN_SHARE: u64 = 8;

/// Which host of a domain an origin is on, in sorted order.
#[derive(Clone, Copy, Debug)]
enum Host {
    Bare,
    Sub,
    Www,
}

/// One origin of a block: domain within the block, host, scheme and port.
#[derive(Clone, Copy, Debug)]
struct Member(u64, Host, &'static str, &'static str);

const HTTP: &str = "http://";
const HTTPS: &str = "https://";

/// The shapes of blocks. Members of one domain stand in SURT order; http comes before https on one host, a port
/// of its own after both, whichever way the port is compared.
const BLOCKS: [[Member; 8]; 4] = {
    use Host::{Bare, Sub, Www};
    [
        [
            Member(0, Bare, HTTPS, ""),
            Member(0, Www, HTTPS, ""),
            Member(1, Www, HTTPS, ""),
            Member(2, Www, HTTP, ""),
            Member(2, Www, HTTPS, ""),
            Member(3, Bare, HTTPS, ""),
            Member(4, Sub, HTTPS, ""),
            Member(4, Www, HTTPS, ""),
        ],
        [
            Member(0, Bare, HTTPS, ""),
            Member(1, Bare, HTTP, ""),
            Member(1, Bare, HTTPS, ""),
            Member(2, Sub, HTTPS, ""),
            Member(2, Www, HTTPS, ""),
            Member(3, Www, HTTPS, ""),
            Member(4, Www, HTTP, ""),
            Member(4, Www, HTTPS, ""),
        ],
        [
            Member(0, Www, HTTPS, ""),
            Member(1, Bare, HTTPS, ""),
            Member(1, Sub, HTTPS, ""),
            Member(1, Www, HTTPS, ""),
            Member(2, Bare, HTTPS, ""),
            Member(3, Bare, HTTPS, ""),
            Member(3, Www, HTTPS, ""),
            Member(4, Www, HTTPS, ""),
        ],
        [
            Member(0, Www, HTTPS, ""),
            Member(1, Bare, HTTPS, ""),
            Member(1, Www, HTTPS, ""),
            Member(2, Bare, HTTP, ""),
            Member(2, Bare, HTTPS, ""),
            Member(2, Bare, HTTPS, ":8443"),
            Member(3, Www, HTTPS, ""),
            Member(4, Bare, HTTP, ":8080"),
        ],
    ]
};
/// How often each shape occurs.
const BLOCK_WEIGHTS: [(u64, usize); 4] = [(40, 0), (33, 1), (25, 2), (2, 3)];

/// A suffix with its stretch of indices.
#[derive(Clone, Debug)]
struct Zone {
    /// The suffix in common order, with a leading dot.
    suffix: String,
    first: u64,
    /// Domains spelled in ASCII; international ones follow.
    plain_domains: u64,
    foreign_domains: u64,
}

/// All origins of a workload.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    seed: u64,
    count: u64,
    /// In index order.
    zones: Vec<Zone>,
    /// Syllables in a name.
    syllables: u32,
}

impl Origins {
    /// `count` origins. Cost: one small table over the suffixes.
    pub(crate) fn new(seed: u64, count: u64) -> Self {
        let zones = zones(count);
        let most = zones.iter().map(|z| z.plain_domains.max(z.foreign_domains)).max().unwrap_or(1);
        let syllables = (2..8).find(|&n| capacity(n) >= u128::from(most) * 4).unwrap_or(8);
        Self { seed, count, zones, syllables }
    }

    /// The number of origins.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Appends the name of an origin (`https://www.example.com:8443`) to `out`. `index` must be below the count.
    pub(crate) fn write_name(&self, index: u64, out: &mut String) {
        let zone = self.zone(index);
        let position = index - zone.first;
        let block = position / BLOCK_ORIGINS;
        let shape = self.block_shape(zone.first + block);
        let slot = usize::try_from(position % BLOCK_ORIGINS).unwrap_or(0);
        let Member(domain, host, scheme, port) = shape[slot];
        let domain = block * BLOCK_DOMAINS + domain;
        let mut random =
            Random::new(self.seed, Stream::Name, zone.first.wrapping_mul(31).wrapping_add(domain));
        out.push_str(scheme);
        match host {
            Host::Bare => {}
            Host::Sub => {
                let pick = random.clone().index(SUBDOMAINS.len());
                out.push_str(SUBDOMAINS[pick]);
                out.push('.');
            }
            Host::Www => out.push_str("www."),
        }
        self.write_label(zone, domain, &mut random, out);
        out.push_str(&zone.suffix);
        out.push_str(port);
    }

    fn zone(&self, index: u64) -> &Zone {
        let after = self.zones.partition_point(|zone| zone.first <= index);
        &self.zones[after.saturating_sub(1)]
    }

    fn block_shape(&self, key: u64) -> &'static [Member; 8] {
        let mut random = Random::new(self.seed, Stream::Block, key);
        &BLOCKS[random.weighted(&BLOCK_WEIGHTS)]
    }

    /// Appends the registered label of a domain.
    fn write_label(&self, zone: &Zone, domain: u64, random: &mut Random, out: &mut String) {
        let end = random.pick(NAME_ENDS);
        if domain < zone.plain_domains {
            let number = self.spread_number(domain, zone.plain_domains, random);
            self.write_number(number, "", out);
            out.push_str(end);
            return;
        }
        let number = self.spread_number(domain - zone.plain_domains, zone.foreign_domains, random);
        let mut letter = [0; 4];
        let letter = random.pick(FOREIGN_LETTERS).encode_utf8(&mut letter);
        let mut label = String::with_capacity(32);
        self.write_number(number, letter, &mut label);
        label.push_str(end);
        out.push_str("xn--");
        out.push_str(&punycode::encode_str(&label).unwrap_or_default());
    }

    /// A number that grows with `domain` and is spread over all that the syllables can spell.
    fn spread_number(&self, domain: u64, domains: u64, random: &mut Random) -> u128 {
        let capacity = capacity(self.syllables);
        let domains = u128::from(domains.max(1));
        let start = u128::from(domain) * capacity / domains;
        let end = (u128::from(domain) + 1) * capacity / domains;
        let stride = u64::try_from(end - start).unwrap_or(u64::MAX);
        start + u128::from(random.below(stride))
    }

    /// Appends `number` as a stem and syllables, with `letter` after the stem.
    fn write_number(&self, number: u128, letter: &str, out: &mut String) {
        let base = SYLLABLES.len() as u128;
        let digit = |value: u128| usize::try_from(value).unwrap_or(0);
        out.push_str(STEMS[digit(number / base.pow(self.syllables)) % STEMS.len()]);
        out.push_str(letter);
        for place in (0..self.syllables).rev() {
            out.push_str(SYLLABLES[digit(number / base.pow(place) % base)]);
        }
    }
}

/// How many names a stem and `syllables` syllables can spell.
fn capacity(syllables: u32) -> u128 {
    STEMS.len() as u128 * (SYLLABLES.len() as u128).pow(syllables)
}

/// Shares the indices out among the suffixes, in their order.
fn zones(count: u64) -> Vec<Zone> {
    let total: u64 = SUFFIXES.iter().map(|(_, share)| share).sum();
    let bound = |share: u64| -> u64 {
        let scaled = u128::from(count) * u128::from(share) / u128::from(total);
        u64::try_from(scaled).unwrap_or(count)
    };
    let mut zones = Vec::with_capacity(SUFFIXES.len());
    let mut share_before = 0;
    for &(reversed, share) in SUFFIXES {
        let first = bound(share_before);
        share_before += share;
        let origins = bound(share_before) - first;
        if origins > 0 {
            let domains = origins.div_ceil(BLOCK_ORIGINS) * BLOCK_DOMAINS;
            let foreign_domains = domains * FOREIGN_SHARE / 1000;
            let plain_domains = domains - foreign_domains;
            zones.push(Zone { suffix: dotted(reversed), first, plain_domains, foreign_domains });
        }
    }
    zones
}

/// `uk,co` as `.co.uk`.
fn dotted(reversed: &str) -> String {
    reversed.split(',').rev().fold(String::new(), |name, label| name + "." + label)
}
