//! The files and questions in the forms that the matchers take.

use robosift::matching::naive::{NaiveDialect, NaiveRobots};

use crate::real_files;
use crate::w1::{AGENTS, RealFile};

/// One real file with its questions, in each form in the order of asking.
pub(crate) struct File {
    pub(crate) body: Vec<u8>,
    /// The body for matchers that take text; octets that are no UTF-8 replaced.
    pub(crate) text: String,
    pub(crate) urls: Vec<Vec<u8>>,
    /// The URLs for matchers that take text.
    pub(crate) text_urls: Vec<String>,
    /// Those who take paths get them ready made, which is to their advantage.
    pub(crate) paths: Vec<String>,
}

/// Each `every`th real file; `None` where the shared test data is absent.
///
/// Each form is made in a pass of its own, so that it lies in memory as if the others were not there.
pub(crate) fn load(every: usize) -> Option<Vec<File>> {
    let files = real_files::load()?.into_iter().step_by(every);
    let mut files: Vec<File> = files.map(File::new).collect();
    let copy = |url: &Vec<u8>| url.as_slice().to_vec();
    files.iter_mut().for_each(|file| file.urls = file.urls.iter().map(copy).collect());
    let text = |url: &Vec<u8>| String::from_utf8_lossy(url).into_owned();
    files.iter_mut().for_each(|file| file.text_urls = file.urls.iter().map(text).collect());
    let path = |url: &String| path(url).to_owned();
    files.iter_mut().for_each(|file| file.paths = file.text_urls.iter().map(path).collect());
    Some(files)
}

impl File {
    fn new(file: RealFile) -> Self {
        File {
            text: String::from_utf8_lossy(&file.body).into_owned(),
            body: file.body,
            urls: file.urls,
            text_urls: Vec::new(),
            paths: Vec::new(),
        }
    }
}

/// Path and query of an absolute URL.
fn path(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let start = url[after_scheme..].find('/').map_or(url.len(), |at| at + after_scheme);
    let end = url[start..].find('#').map_or(url.len(), |at| at + start);
    if start == end { "/" } else { &url[start..end] }
}

/// Whether each row is allowed by Google's rules, as the plain matcher says: by file, agent, URL.
pub(crate) fn reference(files: &[File]) -> Vec<bool> {
    let mut right = Vec::new();
    for file in files {
        let naive = NaiveRobots::parse(&file.body, NaiveDialect::Google);
        for agent in AGENTS {
            let answers = file.urls.iter().map(|url| naive.judge(agent.as_bytes(), url));
            right.extend(answers.map(|answer| answer.allowed != Some(false)));
        }
    }
    right
}
