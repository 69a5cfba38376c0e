//! The parts of HTML that refer to nothing: comments and code.

use std::ops::Range;

/// Elements whose text is code or belongs to the page itself.
const CODE: [&str; 5] = ["pre", "code", "script", "style", "textarea"];

/// Adds what a block of HTML hides.
pub(super) fn hide_in_block(text: &str, block: Range<usize>, hidden: &mut Vec<Range<usize>>) {
    let mut at = block.start;
    while let Some(next) = text[at..block.end].find('<') {
        let start = at + next;
        let rest = &text[start..block.end];
        at = start + 1;
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|length| length + 3)
        } else if let Some(name) = tag(&rest[1..]) {
            rest.match_indices("</")
                .map(|(length, _)| length)
                .find(|length| tag(&rest[length + 2..]) == Some(name))
        } else {
            continue;
        };
        at = end.map_or(block.end, |length| start + length);
        hidden.push(start..at);
    }
}

/// The name of the code element that a tag without its first sign begins with.
fn tag(text: &str) -> Option<&'static str> {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_name = |name: &&str| name.eq_ignore_ascii_case(&text[..length]);
    CODE.into_iter().find(is_name)
}

/// Follows the HTML inside of a paragraph.
#[derive(Default)]
pub(super) struct Inline {
    /// The code element that is open, and where it began.
    open: Option<(&'static str, usize)>,
}

impl Inline {
    /// Adds what is hidden once the tag or comment at `range` is read.
    pub(super) fn take(&mut self, text: &str, range: Range<usize>, hidden: &mut Vec<Range<usize>>) {
        let own = &text[range.clone()];
        let closed = own.strip_prefix("</").and_then(tag);
        if own.starts_with("<!") {
            hidden.push(range);
        } else if let (Some(closed), Some((open, start))) = (closed, self.open) {
            if closed == open {
                hidden.push(start..range.end);
                self.open = None;
            }
        } else if self.open.is_none() {
            self.open = own.get(1..).and_then(tag).map(|name| (name, range.start));
        }
    }

    /// Forgets what is open, as nothing reaches beyond a paragraph.
    pub(super) fn end(&mut self) {
        self.open = None;
    }
}
