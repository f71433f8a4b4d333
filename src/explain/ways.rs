//! Two ways of judging, all settings in which they may differ, and mixtures of both.
//!
//! Enters: two [`Way`]s. Leaves: their [`Aspect`]s, and for a set of these the mixture that has them of the one and all
//! else of the other. Cost: some words. Must not know: what is asked.

use super::clause::{CLAUSES, Clause};
use crate::compile::{BodyLimit, Wanted};
use crate::corpus::Corpus;
use crate::evaluate::Settings;
use crate::parse::Dialect;

/// A way of judging: settings, and the corpus that answers.
#[derive(Clone, Debug)]
pub struct Way<'c> {
    /// Compiled for the dialect of the settings.
    pub corpus: &'c Corpus,
    /// How it is judged.
    pub settings: Settings,
}

/// Which of two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left,
    Right,
}

/// A mixture of two ways.
#[derive(Clone)]
pub(super) struct Mixture {
    pub(super) settings: Settings,
    pub(super) limit: BodyLimit,
    /// Whose captures answer.
    pub(super) captures: Side,
}

/// One thing in which two ways may differ.
pub(super) enum Aspect {
    /// A flag of the dialects.
    Clause(&'static Clause),
    /// Another setting.
    Setting(&'static Setting),
}

/// A setting besides the flags of dialects.
pub(super) struct Setting {
    name: &'static str,
    take: fn(&mut Mixture, &Mixture),
    differs: fn(&Mixture, &Mixture) -> bool,
}

impl Aspect {
    /// The word for tables.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Aspect::Clause(clause) => clause.name,
            Aspect::Setting(setting) => setting.name,
        }
    }

    /// Takes it over from another mixture.
    pub(super) fn take(&self, to: &mut Mixture, from: &Mixture) {
        match self {
            Aspect::Clause(clause) => {
                clause.take(&mut to.settings.dialect, &from.settings.dialect);
            }
            Aspect::Setting(setting) => (setting.take)(to, from),
        }
    }
}

/// The whole dialect, and what is read of a body: where texts are not there to be compiled in a mixture.
const COMPILED: Setting = Setting {
    name: "dialect",
    take: |to, from| {
        to.settings.dialect = from.settings.dialect;
        to.limit = from.limit;
    },
    differs: |one, other| {
        one.settings.dialect != other.settings.dialect || one.limit != other.limit
    },
};

/// How much of a body is read.
const BODY_LIMIT: Setting = Setting {
    name: "body_limit",
    take: |to, from| to.limit = from.limit,
    differs: |one, other| one.limit != other.limit,
};

/// All others, by the names of the arguments that set them.
const SETTINGS: [Setting; 10] = [
    Setting {
        name: "policy",
        take: |to, from| {
            let own = &to.settings.policy;
            let mut policy = from.settings.policy.clone().overridden_as(own);
            policy.stale = own.stale;
            to.settings.policy = policy;
        },
        differs: |one, other| one.settings.policy.name != other.settings.policy.name,
    },
    Setting {
        name: "status",
        take: |to, from| {
            to.settings.policy = to.settings.policy.clone().overridden_as(&from.settings.policy);
        },
        differs: |one, other| {
            let (one, other) = (&one.settings.policy, &other.settings.policy);
            one.clone().overridden_as(other) != *one
        },
    },
    Setting {
        name: "stale",
        take: |to, from| to.settings.policy.stale = from.settings.policy.stale,
        differs: |one, other| one.settings.policy.stale != other.settings.policy.stale,
    },
    Setting {
        name: "as_of",
        take: |to, from| to.settings.moment.as_of = from.settings.moment.as_of,
        differs: |one, other| one.settings.moment.as_of != other.settings.moment.as_of,
    },
    Setting {
        name: "capture_window",
        take: |to, from| to.settings.moment.window = from.settings.moment.window,
        differs: |one, other| one.settings.moment.window != other.settings.moment.window,
    },
    Setting {
        name: "nearest",
        take: |to, from| to.settings.moment.nearest = from.settings.moment.nearest,
        differs: |one, other| one.settings.moment.nearest != other.settings.moment.nearest,
    },
    Setting {
        name: "scope",
        take: |to, from| to.settings.scope = from.settings.scope,
        differs: |one, other| one.settings.scope != other.settings.scope,
    },
    Setting {
        name: "no_capture",
        take: |to, from| to.settings.no_capture = from.settings.no_capture,
        differs: |one, other| one.settings.no_capture != other.settings.no_capture,
    },
    Setting {
        name: "fallback",
        take: |to, from| to.settings.fallback = from.settings.fallback,
        differs: |one, other| one.settings.fallback != other.settings.fallback,
    },
    Setting {
        name: "corpus",
        take: |to, from| to.captures = from.captures,
        differs: |one, other| one.captures != other.captures,
    },
];

/// Two ways.
pub(super) struct Ways<'c> {
    pub(super) left: Way<'c>,
    pub(super) right: Way<'c>,
    /// Both corpora hold the same captures: bodies have the same numbers.
    pub(super) same_captures: bool,
    /// In what they differ.
    pub(super) aspects: Vec<Aspect>,
}

impl<'c> Ways<'c> {
    pub(super) fn new(left: Way<'c>, right: Way<'c>) -> Self {
        let fingerprints = [&left, &right].map(|way| way.corpus.facts().fingerprint);
        let [one, other] = fingerprints;
        let mut ways = Ways { left, right, same_captures: one == other, aspects: Vec::new() };
        let can_compile = [Side::Left, Side::Right].iter().all(|side| ways.has_texts(*side));
        let compiled: &[&'static Setting] = if can_compile { &[&BODY_LIMIT] } else { &[&COMPILED] };
        let clauses = CLAUSES.iter().filter(|_| can_compile).map(Aspect::Clause);
        let settings = compiled.iter().copied().chain(&SETTINGS).map(Aspect::Setting);
        let (left, right) = (ways.pure(Side::Left), ways.pure(Side::Right));
        let differs = |aspect: &Aspect| match aspect {
            Aspect::Setting(setting) => (setting.differs)(&left, &right),
            Aspect::Clause(clause) => {
                let mut dialect = left.settings.dialect;
                clause.take(&mut dialect, &right.settings.dialect);
                dialect != left.settings.dialect
            }
        };
        ways.aspects = clauses.chain(settings).filter(differs).collect();
        ways
    }

    pub(super) fn of(&self, side: Side) -> &Way<'c> {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Whether bodies of this side's corpus can be compiled anew.
    fn has_texts(&self, side: Side) -> bool {
        let has = |way: &Way<'_>| way.corpus.facts().has_texts;
        has(self.of(side)) || (self.same_captures && (has(&self.left) || has(&self.right)))
    }

    /// A way as it is.
    pub(super) fn pure(&self, side: Side) -> Mixture {
        let way = self.of(side);
        Mixture {
            settings: way.settings.clone(),
            limit: way.corpus.facts().limit,
            // The same captures are the same whoever holds them.
            captures: if self.same_captures { Side::Left } else { side },
        }
    }

    /// The side whose corpus has programs of bodies of `mixture`, for agents as the mixture reads them.
    pub(super) fn compiled_for(&self, mixture: &Mixture) -> Option<Side> {
        let sides = [mixture.captures, Side::Left, Side::Right];
        let usable = sides.iter().filter(|side| self.same_captures || **side == mixture.captures);
        let fits = |side: &&Side| {
            let way = self.of(**side);
            way.corpus.facts().limit == mixture.limit
                && compiles_alike(&way.settings.dialect, &mixture.settings.dialect)
                && (way.settings.fallback == mixture.settings.fallback
                    || way.corpus.facts().wanted == Wanted::All)
        };
        usable.copied().find(|side| fits(&side))
    }
}

/// Whether bodies are compiled to the same programs, and agents read as the same names.
fn compiles_alike(one: &Dialect, other: &Dialect) -> bool {
    compile_flags(one) == compile_flags(other)
}

/// The flags on which programs and names depend, as a number.
pub(super) fn compile_flags(dialect: &Dialect) -> u8 {
    let both_sides = dialect.normalisation == crate::parse::Normalisation::BothSides;
    let flags = [
        both_sides,
        dialect.whole_names,
        dialect.index_html,
        dialect.line_limit.is_some(),
        dialect.cut_version,
    ];
    flags.iter().fold(0, |bits, flag| bits << 1 | u8::from(*flag))
}
