//! W1: 60 URLs for each of the real robots files, half of them instantiated from the file's own
//! rules, seeded; asked for CCBot, GPTBot and Googlebot. The files are shared test data.

use robosift::parse::{Dialect, parse};

/// The agents asked for.
pub(crate) const AGENTS: [&str; 3] = ["CCBot", "GPTBot", "Googlebot"];

const URLS_PER_FILE: usize = 60;

/// One real file with its questions.
pub(crate) struct RealFile {
    pub(crate) body: Vec<u8>,
    pub(crate) urls: Vec<Vec<u8>>,
}

impl RealFile {
    /// The file of `origin`, with questions that depend on `seed`.
    pub(crate) fn new(origin: &[u8], body: &[u8], seed: u64) -> Self {
        RealFile { body: body.to_vec(), urls: urls(origin, body, seed) }
    }
}

/// A small generator of numbers, the same everywhere (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }
}

const WORDS: [&str; 32] = [
    "news",
    "products",
    "category",
    "item",
    "2024",
    "archive",
    "about",
    "blog",
    "search",
    "page",
    "en",
    "de",
    "images",
    "static",
    "assets",
    "user",
    "profile",
    "forum",
    "thread",
    "article",
    "the-quick-brown-fox",
    "how-to-choose-a-bicycle",
    "summer-sale",
    "index.html",
    "main.css",
    "photo.jpg",
    "feed",
    "tag",
    "wp-content",
    "uploads",
    "p",
    "list",
];

fn urls(origin: &[u8], body: &[u8], seed: u64) -> Vec<Vec<u8>> {
    let robots = parse(body, &Dialect::RFC9309);
    let patterns: Vec<&[u8]> = robots
        .rules
        .iter()
        .map(|rule| rule.pattern)
        .filter(|pattern| pattern.first().is_some_and(|first| matches!(first, b'/' | b'*')))
        .collect();
    let mut random = Random(seed);
    (0..URLS_PER_FILE)
        .map(|at| {
            let mut url = origin.to_vec();
            if at % 2 == 0 && !patterns.is_empty() {
                let pattern = patterns[random.below(patterns.len())];
                instantiate(pattern, &mut random, &mut url);
            } else {
                made_up(&mut random, &mut url);
            }
            url
        })
        .collect()
}

/// A path that the pattern matches, or nearly.
fn instantiate(pattern: &[u8], random: &mut Random, url: &mut Vec<u8>) {
    let text = pattern.strip_suffix(b"$").unwrap_or(pattern);
    if text.first() == Some(&b'*') {
        url.push(b'/');
    }
    for octet in text {
        match octet {
            b'*' => url.extend(WORDS[random.below(WORDS.len())].bytes()),
            b'#' => {}
            other => url.push(*other),
        }
    }
    if random.below(2) == 0 && text.len() == pattern.len() {
        url.extend(WORDS[random.below(WORDS.len())].bytes());
        url.extend(b"/");
        url.extend(WORDS[random.below(WORDS.len())].bytes());
    }
}

fn made_up(random: &mut Random, url: &mut Vec<u8>) {
    for _ in 0..3 + random.below(5) {
        url.push(b'/');
        url.extend(WORDS[random.below(WORDS.len())].bytes());
    }
    match random.below(8) {
        0 => url.extend(format!("?id={}&page={}", random.below(100_000), random.below(20)).bytes()),
        1 => url.extend(format!("/{}.html", random.below(1_000_000)).bytes()),
        2 => url.extend(b"%20draft"),
        _ => url.extend(format!("-{}", random.below(10_000)).bytes()),
    }
}
