//! Words of identification strings that name a browser, an engine or a device, never a product
//! that a robots.txt is addressed to.
//!
//! Enters: one word. Leaves: yes or no. Cost: one binary search over a constant table.
//! Must not know: where the word stood.
//!
//! Browsers send these to be served like one another, and crawlers repeat them; a body with a
//! group for `Mozilla` must not catch every crawler that opens its string with `Mozilla/5.0`.

/// Lower case and sorted, for the binary search.
const WORDS: &[&str] = &[
    "android",
    "applewebkit",
    "blackberry",
    "build",
    "camino",
    "cfnetwork",
    "chrome",
    "chromium",
    "compatible",
    "cpu",
    "crios",
    "cros",
    "dalvik",
    "darwin",
    "edg",
    "edga",
    "edge",
    "edgios",
    "epiphany",
    "fedora",
    "firefox",
    "focus",
    "freebsd",
    "fxios",
    "gecko",
    "headlesschrome",
    "icab",
    "iemobile",
    "intel",
    "ios",
    "ipad",
    "iphone",
    "ipod",
    "khtml",
    "konqueror",
    "like",
    "linux",
    "mac",
    "macintosh",
    "mobile",
    "mozilla",
    "msie",
    "netscape",
    "opera",
    "opr",
    "phone",
    "presto",
    "qtwebengine",
    "rv",
    "safari",
    "samsungbrowser",
    "seamonkey",
    "silk",
    "tablet",
    "trident",
    "u",
    "ubuntu",
    "ucbrowser",
    "version",
    "vivaldi",
    "webkit",
    "win64",
    "windows",
    "wow64",
    "wv",
    "x11",
    "x64",
    "yabrowser",
];

/// Whether `word` is one of these, ignoring ASCII case.
pub fn is_browser_word(word: &[u8]) -> bool {
    let lower = || word.iter().map(u8::to_ascii_lowercase);
    WORDS.binary_search_by(|known| known.bytes().cmp(lower())).is_ok()
}
