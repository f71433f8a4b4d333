//! The table, and whether robosift is as far ahead as it wants to be.

use crate::measure::Reads;

/// The figures of one matcher.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) reads: Reads,
    /// It was given paths; else whole URLs.
    pub(crate) takes_paths: bool,
    /// Nanoseconds a URL.
    pub(crate) nanos: f64,
    /// Millions of octets of robots text a second, made ready for questions.
    pub(crate) megabytes: Option<f64>,
    /// The share of rows where it says what Google's matcher says.
    pub(crate) agreement: f64,
    pub(crate) panics: usize,
    pub(crate) runs: usize,
}

/// What a peer is compared with: robosift's default dialect, given what the peer is given.
fn own(lines: &[Line], takes_paths: bool) -> Option<&Line> {
    lines.iter().find(|line| is_own(line) && line.takes_paths == takes_paths)
}

fn is_own(line: &Line) -> bool {
    line.name.starts_with("robosift")
}

pub(crate) fn print_lines(lines: &[Line]) {
    println!();
    println!(
        "| matcher | is given | reads a body | ns a URL | times robosift's | parse MB/s | agrees with Google's | panics | runs |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for line in lines {
        let reads = match line.reads {
            Reads::Once => "once",
            Reads::PerAgent => "once an agent",
            Reads::PerQuestion => "for each question",
        };
        let given = if line.takes_paths { "paths" } else { "URLs" };
        let times = own(lines, line.takes_paths).map(|own| line.nanos / own.nanos);
        let times = times.map_or("–".to_owned(), |times| format!("{times:.1}"));
        let megabytes = line.megabytes.map_or("–".to_owned(), |figure| format!("{figure:.0}"));
        println!(
            "| {} | {given} | {reads} | {:.1} | {times} | {megabytes} | {:.3}% | {} | {} |",
            line.name,
            line.nanos,
            line.agreement * 100.0,
            line.panics,
            line.runs
        );
    }
    println!();
}

/// How many times slower each class of peers has to be.
pub(crate) fn print_targets(lines: &[Line]) {
    let rust = |line: &&Line| !is_own(line) && !is_binding(line);
    let fastest = |least: f64| {
        let able = lines.iter().filter(rust).filter(|line| line.agreement >= least);
        able.min_by(|one, other| one.nanos.total_cmp(&other.nanos))
    };
    print_target(lines, "fastest with 99.8% agreement", fastest(0.998), 10.0);
    print_target(lines, "fastest with 99% agreement", fastest(0.99), 4.0);
    print_target(lines, "fastest of all", fastest(0.0), 2.0);
    for binding in lines.iter().filter(|line| is_binding(line)) {
        print_target(lines, "Google's C++ through its bindings", Some(binding), 200.0);
    }
}

fn is_binding(line: &Line) -> bool {
    line.name.starts_with("Google's C++")
}

fn print_target(lines: &[Line], class: &str, peer: Option<&Line>, wanted: f64) {
    let Some((peer, own)) = peer.and_then(|peer| Some((peer, own(lines, peer.takes_paths)?)))
    else {
        println!("target: {class}: no such peer was measured");
        return;
    };
    let times = peer.nanos / own.nanos;
    let outcome = if times >= wanted { "met" } else { "MISSED" };
    println!(
        "target: {class} ({}): {times:.1} times slower, wanted {wanted}: {outcome}",
        peer.name
    );
}
