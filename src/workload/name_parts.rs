//! The parts that host names are made of: stems, syllables, subdomains, suffixes.
//!
//! The order of the lists carries the order of origins: `origins` relies on what is said of each list, and the tests
//! check it over hundreds of thousands of names. Must not know: how the parts are put together.

/// First parts of domain names: sorted, none a prefix of another, all before `xn--`.
pub(crate) const STEMS: &[&str] = &[
    "acorn", "agora", "alder", "amber", "anchor", "apex", "arbor", "aster", "atlas", "aurora",
    "bamboo", "basalt", "beacon", "birch", "blue", "bridge", "bright", "cabin", "canyon", "cedar",
    "cobalt", "coral", "crisp", "daily", "delta", "dune", "eagle", "ember", "falcon", "fern",
    "field", "forest", "garden", "glacier", "golden", "grand", "green", "harbor", "hazel",
    "heritage", "indigo", "island", "ivory", "jade", "juniper", "kepler", "kite", "lake",
    "lantern", "laurel", "linden", "lumen", "maple", "marble", "meadow", "mint", "nectar", "north",
    "nova", "oak", "ocean", "olive", "onyx", "opal", "orchid", "pacific", "pearl", "pine", "polar",
    "prairie", "quartz", "quill", "raven", "red", "river", "robin", "royal", "saffron", "sage",
    "silver", "solar", "sparrow", "stone", "summit", "swift", "terra", "thistle", "timber",
    "trail", "urban", "valley", "velvet", "vista", "walnut", "wave", "west", "willow", "winter",
];

/// Later parts of domain names: sorted, none a prefix of another.
pub(crate) const SYLLABLES: &[&str] = &[
    "ba", "ben", "bi", "bo", "bur", "da", "del", "di", "do", "fa", "fen", "fi", "ga", "ger", "go",
    "ka", "kel", "ki", "ko", "kur", "la", "len", "li", "lo", "lu", "ma", "mer", "mi", "mo", "mun",
    "na", "nel", "ni", "no", "nu", "pa", "per", "pi", "po", "ra", "ren", "ri", "ro", "ru", "sa",
    "ser", "si", "so", "sun", "ta", "tel", "ti", "to", "tur", "va", "vel", "vi", "vo", "wa", "wel",
    "wi", "za", "zel", "zo",
];

/// Ends of domain names, free to choose as the name is already told apart before them.
pub(crate) const NAME_ENDS: &[&str] =
    &["", "", "", "", "", "-shop", "media", "24", "-online", "blog", "tech", "-group", "news"];

/// Letters that make a domain name international.
pub(crate) const FOREIGN_LETTERS: &[char] = &['ä', 'é', 'ñ', 'ö', 'ø', 'ü'];

/// Subdomains other than `www`; all sort before it.
pub(crate) const SUBDOMAINS: &[&str] =
    &["api", "blog", "docs", "en", "forum", "m", "news", "shop", "store", "support"];

/// Suffixes of domains in reversed label order with their share (parts of their sum). Sorted, and none
/// with the labels of another as its first labels, so that stretches of origins do not interleave.
pub(crate) const SUFFIXES: &[(&str, u64)] = &[
    ("at", 110),
    ("au,com", 170),
    ("be", 140),
    ("br,com", 190),
    ("ca", 140),
    ("ch", 150),
    ("com", 4390),
    ("cz", 180),
    ("de", 770),
    ("dk", 80),
    ("edu", 60),
    ("es", 160),
    ("eu", 110),
    ("fi", 60),
    ("fr", 320),
    ("gov", 30),
    ("hu", 90),
    ("in", 110),
    ("info", 140),
    ("io", 90),
    ("it", 260),
    ("jp,co", 250),
    ("net", 360),
    ("nl", 310),
    ("no", 70),
    ("org", 530),
    ("pl", 260),
    ("ro", 80),
    ("ru", 420),
    ("se", 100),
    ("tr,com", 80),
    ("uk,co", 290),
    ("uk,org", 60),
    ("us", 40),
];
