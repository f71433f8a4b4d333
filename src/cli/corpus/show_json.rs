//! What `corpus show` tells, as JSON.

use robosift::compile::ProgramRef;
use robosift::corpus::{Access, BodyId, Capture, Corpus, OriginId, Site, hex};
use robosift::parse::Kind;
use robosift::text::timestamp;
use serde_json::{Value, json};

use super::show::{groups, meaning, printable};

/// An origin with its captures, newest first, and what counts.
pub(super) fn object(corpus: &Corpus, origin: OriginId, site: Option<Site>) -> Value {
    let captures: Vec<Value> = corpus.captures(origin).rev().map(|c| capture(&c)).collect();
    json!({
        "origin": corpus.origin_name(origin),
        "captures": captures,
        "counts": site.map(|site| counts(corpus, &site)),
    })
}

fn capture(capture: &Capture<'_>) -> Value {
    json!({
        "time": capture.time.map(timestamp::format),
        "status": capture.status.map(|status| status.0),
        "body_id": capture.body.map(BodyId::number),
        "redirect": capture.redirect(),
        "content_type": capture.content_type(),
    })
}

fn counts(corpus: &Corpus, site: &Site) -> Value {
    let (access, body) = match site.access {
        Access::Rules(id) => ("rules", body(corpus, id)),
        Access::RedirectUnresolved => ("redirect_unresolved", Value::Null),
        Access::Closed(outcome) => (meaning(outcome), Value::Null),
    };
    json!({
        "time": site.time.map(timestamp::format),
        "status": site.status.map(|status| status.0),
        "redirected": site.redirected,
        "access": access,
        "body": body,
    })
}

fn body(corpus: &Corpus, id: BodyId) -> Value {
    let (len, num_origins) = corpus.body_facts(id).unwrap_or_default();
    json!({
        "body_id": id.number(),
        "digest": corpus.digest(id).map(|digest| hex(digest)),
        "octets": len,
        "num_origins": num_origins,
        "groups": corpus.program(id).map(groups_of),
    })
}

fn groups_of(program: ProgramRef<'_>) -> Vec<Value> {
    let group = |(id, names)| {
        let rules: Vec<Value> = program.group(id).rules().iter().map(rule).collect();
        json!({ "names": names, "rules": rules })
    };
    groups(program).into_iter().map(group).collect()
}

fn rule(rule: &robosift::compile::RuleProgram<'_>) -> Value {
    json!({
        "line": rule.line,
        "kind": if rule.kind == Kind::Allow { "allow" } else { "disallow" },
        "pattern": printable(rule.pattern),
        "specificity": rule.specificity(),
    })
}
