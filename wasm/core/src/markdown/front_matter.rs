//! Front matter: YAML between `---` lines or TOML between `+++` lines at the very start of a document.

use saphyr_parser::{Event, Parser};

/// Longer blocks are ordinary text: the parser's cost per token grows with what is open.
const LONGEST: usize = 64 * 1024;

/// Deeper nesting is ordinary text, for the same reason.
const DEEPEST: usize = 64;

/// What stands at the start of a document.
pub(super) enum FrontMatter {
    /// Ordinary text.
    None,
    /// Fenced as front matter, but not readable: ordinary text and a sentence that says so.
    Broken(String),
    /// Front matter over the first `length` bytes.
    Found {
        length: usize,
        title: Option<String>,
    },
}

pub(super) fn find_front_matter(text: &str) -> FrontMatter {
    match text.lines().next().map(str::trim_end) {
        Some("---") => find_yaml(text),
        Some("+++") => find_toml(text),
        _ => FrontMatter::None,
    }
}

fn find_yaml(text: &str) -> FrontMatter {
    let Some((inside, length)) = fenced(text, &["---", "..."]) else {
        return FrontMatter::None;
    };
    match read_yaml(inside) {
        Ok(Some(title)) => FrontMatter::Found { length, title },
        Ok(None) => FrontMatter::None,
        Err(reason) => FrontMatter::Broken(format!(
            "Front matter is not valid YAML and is kept as text: {reason}"
        )),
    }
}

fn find_toml(text: &str) -> FrontMatter {
    match fenced(text, &["+++"]) {
        Some((inside, length)) => FrontMatter::Found {
            length,
            title: toml_title(inside),
        },
        None => FrontMatter::None,
    }
}

/// What lies between the first line and the first line that is one of `closers`, and where that one ends.
fn fenced<'a>(text: &'a str, closers: &[&str]) -> Option<(&'a str, usize)> {
    let mut lines = text.split_inclusive('\n');
    let start = lines.next()?.len();
    let mut at = start;
    for line in lines {
        let end = at + line.len();
        if closers.contains(&line.trim_end()) {
            return Some((&text[start..at], end));
        }
        at = end;
    }
    None
}

/// The title of a YAML mapping; `None` where the YAML is something else than a mapping.
fn read_yaml(inside: &str) -> Result<Option<Option<String>>, String> {
    if inside.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let mut reading = YamlReading::default();
    for event in Parser::new_from_str(inside) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        reading.take(&event)?;
    }
    Ok(reading.is_mapping.then_some(reading.title))
}

/// Follows parser events just far enough to find the scalar value of the top-level key `title`.
#[derive(Default)]
struct YamlReading {
    depth: usize,
    is_mapping: bool,
    /// Nodes met directly inside the top-level mapping: even ones are keys.
    nodes: usize,
    value_is_title: bool,
    title: Option<String>,
}

impl YamlReading {
    fn take(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => self.open(event)?,
            Event::MappingEnd | Event::SequenceEnd => self.depth -= 1,
            Event::Scalar(value, ..) => self.scalar(value),
            Event::Alias(_) if self.depth == 1 => self.nodes += 1,
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, event: &Event<'_>) -> Result<(), String> {
        match self.depth {
            0 => self.is_mapping = matches!(event, Event::MappingStart(..)),
            1 => self.nodes += 1,
            DEEPEST => return Err(format!("it is nested deeper than {DEEPEST} levels")),
            _ => {}
        }
        self.depth += 1;
        Ok(())
    }

    fn scalar(&mut self, value: &str) {
        if self.depth != 1 {
            return;
        }
        let is_key = self.nodes % 2 == 0;
        if is_key {
            self.value_is_title = value == "title" && self.title.is_none();
        } else if self.value_is_title && !value.trim().is_empty() {
            self.title = Some(value.trim().to_string());
        }
        self.nodes += 1;
    }
}

/// The string of a `title = "…"` line before the first table; a TOML parser for one key is not worth
/// its size.
fn toml_title(inside: &str) -> Option<String> {
    inside
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| {
            let value = line.strip_prefix("title")?.trim_start().strip_prefix('=')?;
            toml_string(value.trim_start())
        })
        .filter(|title| !title.trim().is_empty())
}

fn toml_string(value: &str) -> Option<String> {
    let mut chars = value.chars();
    let quote = chars.next().filter(|c| matches!(c, '"' | '\''))?;
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            _ if c == quote => return Some(text),
            '\\' if quote == '"' => text.push(match chars.next()? {
                't' => '\t',
                'n' => '\n',
                other => other,
            }),
            _ => text.push(c),
        }
    }
    None
}
