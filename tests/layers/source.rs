//! A source file as the house's checks see it: its tokens without comments and literals, and the
//! names that it takes from the crate root.

/// A source file: its path below `src/` with `/`, its text, its tokens.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tokens: Vec<Token>,
}

/// An identifier, `::`, or one other character, outside of comments and literals.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Inline modules (`mod x { … }`) around it.
    inline_depth: usize,
}

/// A name taken from the crate root: `text` of `crate::text::origin`, and of `super::origin` in a
/// file of `text/`.
#[derive(PartialEq)]
pub(crate) struct RootName {
    pub(crate) line: usize,
    pub(crate) name: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let tokens = with_inline_depth(tokens(&without_prose(text)));
        Self { path: path.into(), text: text.into(), tokens }
    }

    /// The folder in `src/`, `None` for `lib.rs` and `main.rs`.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.path.split_once('/').map(|(folder, _)| folder)
    }

    /// A complaint about a line of this file.
    pub(crate) fn complaint(&self, line: usize, what: &str) -> String {
        format!("src/{}:{line}: {what}", self.path)
    }

    /// Whether the tokens from `at` on are these.
    pub(crate) fn reads(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(nth, word)| self.word(at + nth) == *word)
    }

    /// Every name taken from the crate root, by `crate::…`, `robosift::…` or enough `super::`,
    /// in a `use` group or inline.
    pub(crate) fn root_names(&self) -> Vec<RootName> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let mut paths = Vec::new();
            let end = self.read_paths(at, &[], &mut paths);
            for (last, path) in paths {
                let name = self.root_name(&self.tokens[at], &path);
                found.extend(name.map(|name| RootName { line: self.tokens[last].line, name }));
                found.dedup();
            }
            at = end.max(at + 1);
        }
        found
    }

    /// Reads the path that begins at `at`, or each path of a group; gives the place after it and
    /// for each path its last token and its segments.
    fn read_paths(&self, at: usize, before: &[String], paths: &mut Vec<Path>) -> usize {
        let mut path = before.to_vec();
        let mut at = at;
        loop {
            match self.word(at) {
                "{" if !path.is_empty() => return self.read_group(at + 1, &path, paths),
                word if word == "*" || is_identifier(word) => path.push(word.into()),
                _ => return at,
            }
            at += 1;
            if self.word(at) != "::" {
                if self.word(at) == "as" && path.len() == 1 {
                    path.push("*".into());
                }
                paths.push((at - 1, path));
                return at;
            }
            at += 1;
        }
    }

    /// Reads the paths of a group, from behind its `{`; gives the place behind its `}`.
    fn read_group(&self, at: usize, before: &[String], paths: &mut Vec<Path>) -> usize {
        let mut at = at;
        while at < self.tokens.len() && self.word(at) != "}" {
            at = self.read_paths(at, before, paths).max(at + 1);
        }
        at + 1
    }

    /// The name below the crate root that a path goes through; `None` where it stays in the file
    /// or leaves the crate.
    fn root_name(&self, start: &Token, path: &[String]) -> Option<String> {
        let first = path.first()?;
        if !["crate", "robosift", "super"].contains(&first.as_str()) {
            return None;
        }
        let mut depth = self.module_depth() + start.inline_depth;
        for segment in path {
            match segment.as_str() {
                "crate" | "robosift" => depth = 0,
                "super" => depth = depth.saturating_sub(1),
                name if depth == 0 => return Some(name.into()),
                _ if depth < self.module_depth() => return self.folder().map(str::to_owned),
                _ => return None,
            }
        }
        None
    }

    /// How deep the file's module stands: 0 is the crate root.
    fn module_depth(&self) -> usize {
        match self.folder() {
            None => 0,
            Some(_) => self.path.split('/').count() - usize::from(self.path.ends_with("/mod.rs")),
        }
    }

    /// The token at `at` as text, empty past the end.
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.text)
    }
}

/// A path's last token and its segments.
type Path = (usize, Vec<String>);

fn is_identifier(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn with_inline_depth(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut blocks: Vec<bool> = Vec::new();
    for at in 0..tokens.len() {
        match tokens[at].text.as_str() {
            "{" => blocks.push(at >= 2 && tokens[at - 2].text == "mod"),
            "}" => {
                blocks.pop();
            }
            _ => {}
        }
        tokens[at].inline_depth = blocks.iter().filter(|is_module| **is_module).count();
    }
    tokens
}

/// Blanks out comments, string and character literals; lines stay where they are.
fn without_prose(text: &str) -> String {
    let octets = text.as_bytes();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < octets.len() {
        let len = prose_len(&text[at..], kept.bytes().last());
        if len == 0 {
            let letter = text[at..].chars().next().unwrap();
            kept.push(letter);
            at += letter.len_utf8();
        } else {
            kept.push(' ');
            kept.extend(text[at..at + len].chars().filter(|letter| *letter == '\n'));
            at += len;
        }
    }
    kept
}

/// Length of the comment or literal that begins `rest`, 0 where none does.
fn prose_len(rest: &str, before: Option<u8>) -> usize {
    let until = |from: usize, end: &str| {
        rest[from..].find(end).map_or(rest.len(), |found| from + found + end.len())
    };
    let is_in_word = before.is_some_and(|octet| octet.is_ascii_alphanumeric() || octet == b'_');
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_len(rest);
    }
    let raw = rest.strip_prefix("br").or(rest.strip_prefix('r')).unwrap_or("");
    let hashes = raw.bytes().take_while(|octet| *octet == b'#').count();
    if !is_in_word && raw[hashes..].starts_with('"') {
        let open = rest.len() - raw.len() + hashes + 1;
        return until(open, &format!("\"{}", "#".repeat(hashes)));
    }
    if rest.starts_with('"') {
        return quoted_len(rest, '"');
    }
    // 'x' and '\n' are literals, 'x without an end is a lifetime.
    let mut letters = rest.chars();
    let starts = [letters.next(), letters.next(), letters.next()];
    match starts {
        [Some('\''), Some('\\'), _] | [Some('\''), Some(_), Some('\'')] => quoted_len(rest, '\''),
        _ => 0,
    }
}

/// Length of a block comment; they nest.
fn block_comment_len(rest: &str) -> usize {
    let mut open = 0_usize;
    for (at, pair) in rest.as_bytes().windows(2).enumerate() {
        match pair {
            b"/*" => open += 1,
            b"*/" if open == 1 => return at + 2,
            b"*/" => open -= 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of a literal in `quote`s with backslash escapes.
fn quoted_len(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn tokens(code: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    for (nth, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let len = match rest.find(|letter| !is_word(letter)) {
                Some(0) if rest.starts_with("::") => 2,
                Some(0) => first.len_utf8(),
                Some(end) => end,
                None => rest.len(),
            };
            found.push(Token { text: rest[..len].into(), line: nth + 1, inline_depth: 0 });
            rest = rest[len..].trim_start();
        }
    }
    found
}
