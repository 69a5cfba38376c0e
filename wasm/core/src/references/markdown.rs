//! References of a Markdown text: its links, and markers and wiki links outside of code.

use super::html::{hide_in_block, Inline};
use super::markers::{markers, wiki_links};
use super::target::target;
use super::{Marker, Reference};
use crate::markdown::{front_matter_length, plain};
use pulldown_cmark::{CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};
use rustc_hash::FxHashSet;
use std::ops::Range;

pub(super) fn references(text: &str) -> Vec<Reference> {
    let body = front_matter_length(text)..text.len();
    let mut reading = Reading::new(text, body.start);
    let mut events = Parser::new_ext(&text[body.clone()], Options::empty()).into_offset_iter();
    for (event, range) in &mut events {
        reading.take(event, range);
    }
    reading.take_definitions(&events);
    let Reading {
        mut found,
        mut hidden,
        links,
        ..
    } = reading;
    for visible in gaps(body.clone(), &mut hidden) {
        found.extend(markers(text, visible));
    }
    // A link of Markdown is not read as a wiki link too, nor is a marker.
    hidden.extend(links);
    hidden.extend(found.iter().map(|one| one.start..one.end));
    for visible in gaps(body, &mut hidden) {
        found.extend(wiki_links(text, visible));
    }
    found.sort_by_key(|one| (one.start, one.end));
    found
}

/// What `hidden` leaves of `whole`.
fn gaps(whole: Range<usize>, hidden: &mut [Range<usize>]) -> Vec<Range<usize>> {
    hidden.sort_unstable_by_key(|range| range.start);
    let mut gaps = Vec::with_capacity(hidden.len() + 1);
    let mut at = whole.start;
    for range in hidden.iter() {
        if at < range.start {
            gaps.push(at..range.start);
        }
        at = at.max(range.end);
    }
    if at < whole.end {
        gaps.push(at..whole.end);
    }
    gaps
}

/// What was met so far.
struct Reading<'a> {
    text: &'a str,
    /// Where the parsed part of the text starts.
    base: usize,
    found: Vec<Reference>,
    /// Where nothing is a reference.
    hidden: Vec<Range<usize>>,
    /// Links and images of any kind.
    links: Vec<Range<usize>>,
    /// Links and images not at their end yet, each with its own text.
    open: Vec<(Option<Reference>, String)>,
    /// Names of definitions that links use.
    used: Vec<CowStr<'a>>,
    inline: Inline,
}

impl<'a> Reading<'a> {
    fn new(text: &'a str, base: usize) -> Self {
        Self {
            text,
            base,
            found: Vec::new(),
            hidden: Vec::new(),
            links: Vec::new(),
            open: Vec::new(),
            used: Vec::new(),
            inline: Inline::default(),
        }
    }

    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        let range = self.base + range.start..self.base + range.end;
        match event {
            Event::Start(Tag::CodeBlock(_)) => self.hidden.push(range),
            Event::Start(Tag::HtmlBlock) => hide_in_block(self.text, range, &mut self.hidden),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                id,
                ..
            })
            | Event::Start(Tag::Image {
                link_type,
                dest_url,
                id,
                ..
            }) => {
                self.open_link(link_type, &dest_url, id, range);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close_link(),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => self.inline.end(),
            Event::InlineHtml(_) => self.inline.take(self.text, range, &mut self.hidden),
            Event::Code(code) => {
                self.hidden.push(range);
                self.label(&code);
            }
            Event::Text(text) => self.label(&text),
            Event::SoftBreak | Event::HardBreak => self.label(" "),
            _ => {}
        }
    }

    fn open_link(&mut self, kind: LinkType, url: &str, id: CowStr<'a>, range: Range<usize>) {
        let is_reference = match kind {
            LinkType::Inline => true,
            LinkType::Autolink | LinkType::Email => false,
            _ => !is_footnote(&id),
        };
        let target = target(url).filter(|_| is_reference);
        let reference = target.map(|target| Reference {
            marker: Marker::MdLink,
            target,
            label: None,
            start: range.start,
            end: range.end,
        });
        self.open.push((reference, String::new()));
        self.links.push(range);
        if kind != LinkType::Inline {
            self.used.push(id);
        }
    }

    fn close_link(&mut self) {
        if let Some((Some(reference), text)) = self.open.pop() {
            let label = plain(&text);
            self.found.push(Reference { label, ..reference });
        }
    }

    /// Text belongs to the innermost link only, so that nesting costs nothing.
    fn label(&mut self, text: &str) {
        if let Some((_, label)) = self.open.last_mut() {
            label.push_str(text);
        }
    }

    /// Adds the definitions that no link uses, once all links are known.
    fn take_definitions(&mut self, events: &OffsetIter<'a>) {
        let definitions = events.reference_definitions();
        let used = self.used.iter().filter_map(|id| definitions.get(id));
        let used: FxHashSet<usize> = used.map(|definition| definition.span.start).collect();
        for (name, definition) in definitions.iter() {
            let span = definition.span.clone();
            if used.contains(&span.start) || is_footnote(name) {
                continue;
            }
            let start = self.base + span.start;
            let own = self.text[start..self.base + span.end].trim_end();
            self.found
                .extend(target(&definition.dest).map(|target| Reference {
                    marker: Marker::MdLink,
                    target,
                    label: plain(name),
                    start,
                    end: start + own.len(),
                }));
        }
    }
}

/// The name of a footnote, which CommonMark reads as that of a link.
fn is_footnote(name: &str) -> bool {
    name.starts_with('^')
}
