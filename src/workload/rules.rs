//! Ordinary robots bodies: groups, rules, other records.
//!
//! Leaves: text whose counts follow those of real files (half have one group; rules: median 13, one in a hundred over
//! 500; a star in every second file; `$` in every sixth). Patterns use the folders, words and endings of URLs.
//! Must not know: which origins serve a body.

use super::random::{Quantiles, Random};
use super::vocabulary::{
    CLOSED_FOLDERS, ENDINGS, MODEL_CRAWLERS, OPEN_FOLDERS, OTHER_CRAWLERS, PARAMETERS, WORDS,
};

/// Rules in a file.
const RULES: Quantiles = Quantiles(&[
    (0, 0),
    (30_000, 0),
    (120_000, 1),
    (250_000, 3),
    (360_000, 6),
    (500_000, 11),
    (750_000, 31),
    (900_000, 76),
    (960_000, 180),
    (990_000, 530),
    (999_000, 2_000),
    (999_900, 8_000),
    (1_000_000, 31_843),
]);

/// Groups in a file.
const GROUPS: Quantiles = Quantiles(&[
    (0, 1),
    (620_000, 1),
    (800_000, 3),
    (890_000, 5),
    (950_000, 18),
    (990_000, 89),
    (999_000, 300),
    (1_000_000, 528),
]);

/// How one file is written.
struct Manner {
    line_end: &'static str,
    disallow: &'static str,
    allow: &'static str,
    user_agent: &'static str,
    /// Rules with a star, in ten thousand.
    star_share: u64,
    /// Rules with a star that also end in `$`, in ten thousand.
    dollar_share: u64,
}

impl Manner {
    fn draw(random: &mut Random, num_rules: u64) -> Self {
        let star_files = match num_rules {
            0..=2 => 900,
            3..=12 => 4_000,
            13..=63 => 7_000,
            _ => 8_000,
        };
        let (star_share, dollar_share) = if random.chance(star_files) {
            let dollar_share = if random.chance(3_400) { 5_000 } else { 0 };
            (random.between(900, 4_400), dollar_share)
        } else {
            (0, 0)
        };
        let lower = random.chance(800);
        Self {
            line_end: random.weighted(&[(76, "\n"), (24, "\r\n")]),
            disallow: if lower {
                "disallow: "
            } else {
                random.weighted(&[(96, "Disallow: "), (3, "Disallow:"), (1, "Disallow : ")])
            },
            allow: if lower { "allow: " } else { "Allow: " },
            user_agent: if lower {
                "user-agent: "
            } else {
                random.weighted(&[(85, "User-agent: "), (14, "User-Agent: "), (1, "User-agent:")])
            },
            star_share,
            dollar_share,
        }
    }
}

/// A body being written.
struct Writer<'a> {
    random: &'a mut Random,
    out: &'a mut Vec<u8>,
    manner: Manner,
}

/// Appends an ordinary body.
pub(crate) fn write_rules_file(random: &mut Random, out: &mut Vec<u8>) {
    let num_groups = random.quantile(&GROUPS);
    let num_rules = random.quantile(&RULES).max(num_groups - 1);
    let manner = Manner::draw(random, num_rules);
    if random.chance(250) {
        out.extend_from_slice("\u{feff}".as_bytes());
    }
    Writer { random, out, manner }.file(num_groups, num_rules);
}

impl Writer<'_> {
    fn file(&mut self, num_groups: u64, num_rules: u64) {
        if self.random.chance(2_500) {
            self.comment();
        }
        let named_groups = num_groups - 1;
        let models_first = self.random.chance(5_500);
        // A named group mostly refuses everything with one rule; the rest belongs to one long group.
        let rest = num_rules - named_groups;
        let long_group = self.random.chance(2_500).then(|| self.random.below(named_groups));
        let wildcard_rules =
            if long_group.is_some() && named_groups > 0 { rest.min(2) } else { rest };
        let wildcard_first = self.random.chance(6_000);
        if wildcard_first {
            self.wildcard_group(wildcard_rules);
        }
        for group in 0..named_groups {
            let more = if long_group == Some(group) { rest - wildcard_rules } else { 0 };
            self.named_group(group, models_first, 1 + more);
        }
        if !wildcard_first {
            self.wildcard_group(wildcard_rules);
        }
        if self.random.chance(6_000) {
            self.sitemaps();
        }
    }

    fn wildcard_group(&mut self, num_rules: u64) {
        self.user_agent_line("*");
        if self.random.chance(1_000) {
            let seconds = self.random.between(1, 30);
            self.text("Crawl-delay: ");
            self.number(seconds);
            self.end_line();
        }
        self.rules(num_rules);
        self.end_line();
    }

    fn named_group(&mut self, group: u64, models_first: bool, num_rules: u64) {
        self.agent_line(group, models_first);
        if self.random.chance(600) {
            for extra in 0..self.random.between(1, 5) {
                self.agent_line(group + 7 + extra, models_first);
            }
        }
        match self.random.below(100) {
            _ if num_rules > 1 => self.rules(num_rules),
            0..76 => self.rule_line(self.manner.disallow, "/"),
            76..82 => self.rule_line(self.manner.allow, "/"),
            82..86 => self.rule_line(self.manner.disallow, ""),
            _ => self.rules(1),
        }
        self.end_line();
    }

    fn agent_line(&mut self, group: u64, models_first: bool) {
        let (first, second) = if models_first {
            (MODEL_CRAWLERS, OTHER_CRAWLERS)
        } else {
            (OTHER_CRAWLERS, MODEL_CRAWLERS)
        };
        let place = usize::try_from(group).unwrap_or(0);
        match first.iter().chain(second).nth(place) {
            Some(token) => self.user_agent_line(token),
            None => {
                let (start, end) = (self.random.pick(WORDS), self.random.pick(WORDS));
                self.user_agent_line(&format!("{start}-{end}-bot"));
            }
        }
    }

    fn rules(&mut self, num_rules: u64) {
        let mut pattern = String::with_capacity(64);
        for rule in 0..num_rules {
            pattern.clear();
            // The first rule with a star comes early, so that short files of that manner have one.
            let star = self.manner.star_share > 0
                && ((rule == 1 || num_rules == 1) || self.random.chance(self.manner.star_share));
            if star {
                let dollar = self.manner.dollar_share > 0
                    && (rule < 2 || self.random.chance(self.manner.dollar_share));
                write_star_pattern(self.random, dollar, &mut pattern);
            } else {
                write_plain_pattern(self.random, num_rules, &mut pattern);
            }
            let key =
                if self.random.chance(900) { self.manner.allow } else { self.manner.disallow };
            self.rule_line(key, &pattern);
        }
    }

    fn rule_line(&mut self, key: &str, pattern: &str) {
        self.text(key);
        self.text(pattern);
        if self.random.chance(60) {
            self.text(" # see notes");
        }
        self.end_line();
        if self.random.chance(120) {
            self.comment();
        }
    }

    fn user_agent_line(&mut self, name: &str) {
        self.text(self.manner.user_agent);
        self.text(name);
        self.end_line();
    }

    fn comment(&mut self) {
        self.text("# ");
        for _ in 0..self.random.between(2, 9) {
            let word = self.random.pick(WORDS);
            self.text(word);
            self.text(" ");
        }
        self.end_line();
    }

    fn sitemaps(&mut self) {
        for _ in 0..self.random.weighted(&[(80, 1), (15, 2), (5, 9)]) {
            self.text("Sitemap: https://www.example.com/");
            let word = self.random.pick(WORDS);
            self.text(word);
            self.text("-sitemap.xml");
            self.end_line();
        }
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        self.out.extend_from_slice(number.to_string().as_bytes());
    }

    fn end_line(&mut self) {
        self.out.extend_from_slice(self.manner.line_end.as_bytes());
    }
}

/// Appends a pattern without star. Files with many rules list deeper paths.
fn write_plain_pattern(random: &mut Random, num_rules: u64, out: &mut String) {
    let deep = if num_rules > 60 { 45 } else { 15 };
    let form = random.below(100);
    out.push('/');
    if form < deep {
        out.push_str(random.pick_early(OPEN_FOLDERS));
        out.push('/');
        out.push_str(random.pick(WORDS));
        if num_rules > 60 || random.chance(5_000) {
            out.push('-');
            out.push_str(random.pick(WORDS));
        }
        out.push_str(random.pick(&["", "", "/", ".html"]));
    } else if form < 70 {
        out.push_str(random.pick_early(CLOSED_FOLDERS));
        out.push_str(random.pick(&["/", "/", "", "?"]));
    } else if form < 80 {
        out.push_str(random.pick_early(CLOSED_FOLDERS));
        out.push('/');
        out.push_str(random.pick(WORDS));
        out.push_str(random.pick(&["", "/", ".php"]));
    } else if form < 90 {
        out.push_str(random.pick(WORDS));
        out.push('.');
        out.push_str(random.pick_early(ENDINGS));
    } else {
        out.push_str(random.pick(&["", "index.php"]));
        out.push('?');
        out.push_str(random.pick_early(PARAMETERS));
        out.push('=');
    }
}

/// Appends a pattern with at least one star, with `$` at its end where asked.
fn write_star_pattern(random: &mut Random, dollar: bool, out: &mut String) {
    match random.below(100) {
        _ if dollar => {
            out.push_str(random.pick(&["/*.", "/*/*.", "*."]));
            out.push_str(random.pick_early(ENDINGS));
            out.push('$');
        }
        0..40 => {
            out.push_str(random.pick(&["/*?", "/*?*", "/*&", "*?"]));
            out.push_str(random.pick_early(PARAMETERS));
            out.push_str(random.pick(&["=", "=*", ""]));
        }
        40..65 => {
            out.push_str(random.pick(&["/*/", "*/"]));
            out.push_str(random.pick_early(CLOSED_FOLDERS));
            out.push_str(random.pick(&["/", "/*", ""]));
        }
        65..80 => {
            out.push('/');
            out.push_str(random.pick_early(OPEN_FOLDERS));
            out.push_str("/*/");
            out.push_str(random.pick(WORDS));
        }
        80..90 => {
            out.push('/');
            out.push_str(random.pick_early(CLOSED_FOLDERS));
            out.push_str("/*");
        }
        _ => {
            out.push_str("/*.");
            out.push_str(random.pick_early(ENDINGS));
        }
    }
}
