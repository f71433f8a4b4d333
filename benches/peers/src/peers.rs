//! The peers, each called as its documentation shows.

use std::hint::black_box;

use fast_robots::{RobotsMatcher, RobotsTxt};
use robotstxt::DefaultMatcher;
use robotxt::Robots;
#[cfg(feature = "spider")]
use spider::packages::robotparser::parser::RobotFileParser;
use texting_robots::Robot;

use crate::files::File;
use crate::measure::{Matcher, Reads};
use crate::w1::AGENTS;

/// fast-robots without its index. Takes paths.
pub(crate) struct FastRobots<'f>(RobotsTxt<'f>);

impl<'f> Matcher<'f> for FastRobots<'f> {
    const NAME: &'static str = "fast-robots 0.1.5";
    const READS: Reads = Reads::Once;
    const TAKES_PATHS: bool = true;
    type Question = str;
    type Scratch = ();

    fn read(file: &'f File) -> Self {
        FastRobots(RobotsTxt::parse(&file.text))
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.paths.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, path: &str, (): &mut ()) -> bool {
        self.0.is_allowed(AGENTS[agent], path)
    }
}

/// fast-robots with its index. Takes paths.
pub(crate) struct FastRobotsCompiled<'f>(RobotsMatcher<'f>);

impl<'f> Matcher<'f> for FastRobotsCompiled<'f> {
    const NAME: &'static str = "fast-robots 0.1.5, compiled";
    const READS: Reads = Reads::Once;
    const TAKES_PATHS: bool = true;
    type Question = str;
    type Scratch = ();

    fn read(file: &'f File) -> Self {
        // The index borrows from what was parsed, which therefore has to stay.
        let robots: &RobotsTxt<'f> = Box::leak(Box::new(RobotsTxt::parse(&file.text)));
        FastRobotsCompiled(robots.matcher())
    }

    fn read_once(file: &'f File) {
        black_box(RobotsTxt::parse(&file.text).matcher());
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.paths.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, path: &str, (): &mut ()) -> bool {
        self.0.is_allowed(AGENTS[agent], path)
    }
}

/// robotxt: parsed for one agent. Takes paths.
pub(crate) struct Robotxt([Robots; AGENTS.len()]);

impl<'f> Matcher<'f> for Robotxt {
    const NAME: &'static str = "robotxt 0.7.0";
    const READS: Reads = Reads::PerAgent;
    const TAKES_PATHS: bool = true;
    type Question = str;
    type Scratch = ();

    fn read(file: &File) -> Self {
        Robotxt(AGENTS.map(|agent| Robots::parse(&file.body, agent)))
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.paths.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, path: &str, (): &mut ()) -> bool {
        self.0[agent].is_allowed(path)
    }
}

/// texting_robots: parsed for one agent. Takes URLs.
pub(crate) struct TextingRobots([Robot; AGENTS.len()]);

impl<'f> Matcher<'f> for TextingRobots {
    const NAME: &'static str = "texting_robots 0.2.2";
    const READS: Reads = Reads::PerAgent;
    type Question = str;
    type Scratch = ();

    fn read(file: &File) -> Self {
        // A body that it refuses counts as a panic.
        TextingRobots(AGENTS.map(|agent| Robot::new(agent, &file.body).unwrap()))
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.text_urls.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, url: &str, (): &mut ()) -> bool {
        self.0[agent].allowed(url)
    }
}

/// robotstxt, the port of Google's: parses for each question. Takes URLs.
pub(crate) struct Robotstxt<'f>(&'f File);

impl<'f> Matcher<'f> for Robotstxt<'f> {
    const NAME: &'static str = "robotstxt 0.3.0";
    const READS: Reads = Reads::PerQuestion;
    type Question = str;
    type Scratch = ();

    fn read(file: &'f File) -> Self {
        Robotstxt(file)
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.text_urls.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, url: &str, (): &mut ()) -> bool {
        let mut matcher = DefaultMatcher::default();
        matcher.one_agent_allowed_by_robots(&self.0.text, AGENTS[agent], url)
    }
}

/// The parser inside the crawler spider. Takes URLs.
#[cfg(feature = "spider")]
pub(crate) struct Spider(Box<RobotFileParser>);

#[cfg(feature = "spider")]
impl<'f> Matcher<'f> for Spider {
    const NAME: &'static str = "spider 2.53.9";
    const READS: Reads = Reads::Once;
    type Question = str;
    type Scratch = ();

    fn read(file: &File) -> Self {
        let mut robots = RobotFileParser::new();
        // It allows nothing before a file was fetched.
        robots.modified();
        robots.parse_str(&file.text);
        Spider(robots)
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.text_urls.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, url: &str, (): &mut ()) -> bool {
        self.0.can_fetch(AGENTS[agent], url)
    }
}
