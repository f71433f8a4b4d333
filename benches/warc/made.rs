//! Made-up WARC files: each record in its own gzip member, a request before each response.

use std::collections::HashSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Responses of a file.
pub(crate) const SITES: usize = 100_000;

/// What a file is like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All are status 200 and rules from end to end, of 300 to 9,600 octets; one body in seven was not seen before.
    Repeated,
    /// After what is known of Common Crawl's robotstxt files. 57% of the captures have rules, and half of these a Sitemap line
    /// that names their host, so that nobody else serves the body; of the others one in seven was not seen before. Bodies are
    /// as long as real ones, with some 15 rules in a thousand octets. The rest are redirects, missing files and web pages (5%).
    /// Headers bring an answer with its request to some 2,200 compressed octets; Common Crawl had 2,555 in 2022.
    Crawl,
}

/// A made-up file.
pub(crate) struct Made {
    pub(crate) file: Vec<u8>,
    /// Start, end and octets of each member.
    pub(crate) members: Vec<(usize, usize, usize)>,
    /// Its octets without compression.
    pub(crate) num_octets: usize,
    /// Distinct bodies that are kept.
    pub(crate) num_bodies: u64,
}

/// An answer's status line, its headers but for the common ones, and its body.
struct Answer {
    status: &'static str,
    headers: String,
    body: String,
}

impl Made {
    pub(crate) fn new(shape: Shape) -> Made {
        let mut random = Random(7);
        let mut made = Made { file: Vec::new(), members: Vec::new(), num_octets: 0, num_bodies: 0 };
        let mut bodies = Vec::new();
        let mut kept = HashSet::new();
        for site in 0..SITES {
            let host = format!("www.site{:06}.example", random.below(1_000_000));
            let answer = match shape {
                Shape::Repeated => answer_repeated(&mut random, &mut bodies),
                Shape::Crawl => answer_crawl(&mut random, &mut bodies, &host),
            };
            if answer.status.starts_with("200") {
                kept.insert(answer.body.clone());
            }
            made.add(&mut random, site, &host, &answer);
        }
        made.num_bodies = kept.len() as u64;
        made
    }

    fn add(&mut self, random: &mut Random, site: usize, host: &str, answer: &Answer) {
        let request =
            format!("GET /robots.txt HTTP/1.1\r\nUser-Agent: made-up\r\nHost: {host}\r\n\r\n");
        let Answer { status, headers, body } = answer;
        let response = format!(
            "HTTP/1.1 {status}\r\nServer: nginx\r\n{headers}X-Crawl-Content-Encoding: gzip\r\n\
             ETag: \"{site:x}\"\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        for (kind, block) in [("request", request), ("response", response)] {
            let record = format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-11-30T12:{:02}:{:02}Z\r\n\
                 WARC-Record-ID: <urn:uuid:{:032x}>\r\nContent-Length: {}\r\n\
                 Content-Type: application/http; msgtype={kind}\r\nWARC-IP-Address: 192.0.2.{}\r\n\
                 WARC-Target-URI: https://{host}/robots.txt\r\n\
                 WARC-Payload-Digest: sha1:{:032X}\r\n\r\n{block}\r\n\r\n",
                random.below(60),
                random.below(60),
                random.below(usize::MAX),
                block.len(),
                random.below(256),
                random.below(usize::MAX)
            );
            self.num_octets += record.len();
            let start = self.file.len();
            let mut encoder = GzEncoder::new(&mut self.file, Compression::new(6));
            encoder.write_all(record.as_bytes()).unwrap();
            encoder.finish().unwrap();
            self.members.push((start, self.file.len(), record.len()));
        }
    }
}

fn answer_repeated(random: &mut Random, bodies: &mut Vec<String>) -> Answer {
    let headers = "Content-Type: text/plain; charset=utf-8\r\n".to_owned();
    Answer { status: "200 OK", headers, body: some_body(random, bodies, Random::any_length, 1) }
}

fn answer_crawl(random: &mut Random, bodies: &mut Vec<String>, host: &str) -> Answer {
    let (status, media_type, more, body) = match random.below(100) {
        at @ 0..57 => {
            let mut body = some_body(random, bodies, Random::real_length, 2);
            if at % 2 == 0 {
                body.push_str(&format!("\nSitemap: https://{host}/sitemap.xml\n"));
            }
            ("200 OK", "text/plain", String::new(), body)
        }
        57..62 => ("200 OK", "text/html", String::new(), page(random, host, 30)),
        62..80 => {
            let location = format!("Location: https://{}/robots.txt\r\n", &host[4..]);
            ("301 Moved Permanently", "text/html", location, page(random, host, 1))
        }
        _ => ("404 Not Found", "text/plain", String::new(), "Not found\n".to_owned()),
    };
    let headers = format!(
        "Date: Mon, 30 Nov 2026 12:00:{:02} GMT\r\nContent-Type: {media_type}; charset=utf-8\r\n{more}\
         Last-Modified: Sun, 01 Nov 2026 10:{:02}:00 GMT\r\nCache-Control: max-age={}\r\n\
         Set-Cookie: session={}; path=/; secure\r\nVary: Accept-Encoding\r\n\
         Strict-Transport-Security: max-age=31536000\r\nReport-To: {{\"endpoints\":[{{\"url\":\"https:\\/\\/\
         reports.example\\/report?s={}\"}}],\"group\":\"made-up\",\"max_age\":604800}}\r\n\
         Content-Security-Policy: default-src 'self'; script-src 'nonce-{}'\r\nX-Request-Id: {}\r\n",
        random.below(60),
        random.below(60),
        random.below(100_000),
        random.digits(20),
        random.digits(20),
        random.digits(3),
        random.digits(3)
    );
    Answer { status, headers, body }
}

/// A new body, one in seven times; else an earlier one, some of which are far more frequent than others. One line in `every`
/// is a rule.
fn some_body(
    random: &mut Random,
    bodies: &mut Vec<String>,
    length: fn(&mut Random) -> usize,
    every: usize,
) -> String {
    if bodies.is_empty() || random.below(7) == 0 {
        let len = length(random);
        bodies.push(new_body(random, len, every));
        return bodies[bodies.len() - 1].clone();
    }
    let below = random.below(bodies.len()) + 1;
    bodies[random.below(below)].clone()
}

const WORDS: [&str; 16] = [
    "wp-admin", "search", "cart", "checkout", "login", "account", "tag", "page", "feed", "api",
    "private", "tmp", "cgi-bin", "includes", "modules", "scripts",
];

/// Rules of made-up paths, at least `len` octets.
fn new_body(random: &mut Random, len: usize, every: usize) -> String {
    let mut body = String::from("User-agent: *\n");
    while body.len() < len {
        let (one, other) = (WORDS[random.below(16)], WORDS[random.below(16)]);
        let number = random.below(10_000);
        if random.below(every) != 0 {
            body.push_str(&format!("# {one} and {other} since {number}\n"));
            continue;
        }
        match random.below(12) {
            0 => body.push_str(&format!("\nUser-agent: {one}bot\n")),
            1 => body.push_str(&format!("Allow: /{one}/{other}.php\n")),
            _ => body.push_str(&format!("Disallow: /{one}/{other}/{number}*\n")),
        }
    }
    body
}

/// A web page of so many paragraphs.
fn page(random: &mut Random, host: &str, paragraphs: usize) -> String {
    let mut page = format!("<!DOCTYPE html>\n<html><head><title>{host}</title></head><body>\n");
    for _ in 0..paragraphs {
        page.push_str("<p class=\"text\">");
        for _ in 0..60 {
            page.push_str(WORDS[random.below(16)]);
            page.push(' ');
        }
        page.push_str("</p>\n");
    }
    page.push_str("</body></html>\n");
    page
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit
    }

    /// Small bodies are the most frequent.
    fn any_length(&mut self) -> usize {
        300 << self.below(6)
    }

    /// By the quantiles of 2,522 real files.
    fn real_length(&mut self) -> usize {
        const QUANTILES: [(usize, usize); 7] =
            [(0, 24), (100, 67), (250, 181), (500, 598), (750, 1_855), (900, 3_844), (990, 72_224)];
        let at = self.below(990);
        let next = QUANTILES.iter().position(|(quantile, _)| *quantile > at).unwrap();
        let ((from, least), (to, most)) = (QUANTILES[next - 1], QUANTILES[next]);
        let share = (at - from) as f64 / (to - from) as f64;
        // Evenly on a logarithmic scale.
        let len = least as f64 * (most as f64 / least as f64).powf(share);
        len as usize
    }

    /// Digits that do not compress.
    fn digits(&mut self, words: usize) -> String {
        (0..words).map(|_| format!("{:012x}", self.below(1 << 48))).collect()
    }
}
