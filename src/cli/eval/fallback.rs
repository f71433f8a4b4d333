//! Which agents did not go by their own group and that of `*` alone, and how well that is known.

use robosift::agents::registry::{Entry, Registry};
use robosift::evaluate::{Fallback, Settings, Tally};
use serde_json::{Value, json};

/// Agents that are told of one by one.
const MAX_SHOWN: usize = 20;

/// The lines of the summary; none where no fallback was asked for.
pub(super) fn lines(settings: &Settings, tally: &Tally) -> Vec<String> {
    if settings.fallback == Fallback::None {
        return Vec::new();
    }
    let registry = &settings.registry;
    let agents = in_force(settings, tally);
    let mut lines = vec![match agents.is_empty() {
        true => format!(
            "fallback documented: for none of these agents (registry {})",
            registry.version()
        ),
        false => format!("fallback documented (registry {}):", registry.version()),
    }];
    lines.extend(agents.iter().take(MAX_SHOWN).map(|(agent, entry)| line(agent, entry)));
    if agents.len() > MAX_SHOWN {
        lines.push(format!("  and for {} further agents", agents.len() - MAX_SHOWN));
    }
    lines
}

/// As one JSON value.
pub(super) fn json(settings: &Settings, tally: &Tally) -> Value {
    let agents = in_force(settings, tally).into_iter().map(|(agent, entry)| {
        json!({
            "agent": agent,
            "token": entry.token,
            "fallback": entry.fallback_names().collect::<Vec<_>>(),
            "honours_wildcard": entry.honours_wildcard,
            "confidence": entry.confidence.name(),
            "verified": entry.confidence.is_verified(),
        })
    });
    json!({
        "kind": settings.fallback.name(),
        "registry": settings.registry.version(),
        "agents": agents.collect::<Vec<_>>(),
    })
}

/// The agents asked for whose entries say more than their own group, else that of `*`.
fn in_force<'t>(settings: &'t Settings, tally: &'t Tally) -> Vec<(&'t str, &'t Entry)> {
    if settings.fallback == Fallback::None {
        return Vec::new();
    }
    let entry = |text: &str, registry: &'t Registry| {
        let entry = registry.find_agent(&settings.read_agent(text.as_bytes())?)?;
        entry.has_order_of_its_own().then_some(entry)
    };
    let agents = tally.agents.keys().map(String::as_str);
    agents.filter_map(|agent| Some((agent, entry(agent, &settings.registry)?))).collect()
}

fn line(agent: &str, entry: &Entry) -> String {
    let others = entry.fallback_names().map(|name| format!("that of {name}"));
    let star = match entry.honours_wildcard {
        Some(true) => "that of *",
        Some(false) => "no rules: * is ignored",
        None => "that of *, which is not known to apply",
    };
    let order: Vec<String> = others.chain([star.to_owned()]).collect();
    let mark = match entry.confidence.is_verified() {
        true => String::new(),
        false => format!(" ({}: not verified)", entry.confidence.name()),
    };
    format!("  {agent}: its own group, else {}{mark}", order.join(", else "))
}
