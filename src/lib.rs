//! robosift judges rows of (origin, agent, URL) by robots.txt captures, at crawl scale.
pub mod agents;
pub mod compile;
pub mod corpus;
pub mod evaluate;
pub mod matching;
pub mod parse;
pub mod table;
pub mod text;
