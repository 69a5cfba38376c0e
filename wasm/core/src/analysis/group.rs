//! The group of a word: its Snowball stem without accents, shared by all its forms.

use crate::error::{CoreError, ErrorCode};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use unicode_normalization::UnicodeNormalization;

/// Snowball languages by the name that settings use.
const LANGUAGES: [(&str, Algorithm); 18] = [
    ("arabic", Algorithm::Arabic),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    ("english", Algorithm::English),
    ("finnish", Algorithm::Finnish),
    ("french", Algorithm::French),
    ("german", Algorithm::German),
    ("greek", Algorithm::Greek),
    ("hungarian", Algorithm::Hungarian),
    ("italian", Algorithm::Italian),
    ("norwegian", Algorithm::Norwegian),
    ("portuguese", Algorithm::Portuguese),
    ("romanian", Algorithm::Romanian),
    ("russian", Algorithm::Russian),
    ("spanish", Algorithm::Spanish),
    ("swedish", Algorithm::Swedish),
    ("tamil", Algorithm::Tamil),
    ("turkish", Algorithm::Turkish),
];

pub(super) struct Grouper {
    stemmer: Stemmer,
    /// English has no accents of its own, so its stemmer sees words without them; the other stemmers
    /// know the accents of their language and see them.
    folds_first: bool,
    /// Words met before: finding a stem takes longer than finding it here.
    known: RefCell<FxHashMap<Box<str>, Box<str>>>,
}

/// The words of some books, about 5 MB; then they are gathered anew.
const MAX_KNOWN: usize = 1 << 16;

impl Grouper {
    pub(super) fn new(language: &str) -> Result<Self, CoreError> {
        let known = LANGUAGES.into_iter().find(|(name, _)| *name == language);
        let (_, algorithm) = known.ok_or_else(|| unknown(language))?;
        Ok(Self {
            stemmer: Stemmer::create(algorithm),
            folds_first: algorithm == Algorithm::English,
            known: RefCell::default(),
        })
    }

    pub(super) fn group(&self, term: &str) -> Box<str> {
        let mut known = self.known.borrow_mut();
        if let Some(group) = known.get(term) {
            return group.clone();
        }
        if known.len() == MAX_KNOWN {
            known.clear();
        }
        let group: Box<str> = self.find(term).into();
        known.insert(term.into(), group.clone());
        group
    }

    fn find<'t>(&self, term: &'t str) -> Cow<'t, str> {
        if term.is_ascii() {
            return self.stem(Cow::Borrowed(term));
        }
        if self.folds_first {
            self.stem(without_accents(Cow::Borrowed(term)))
        } else {
            without_accents(self.stem(Cow::Borrowed(term)))
        }
    }

    /// Numbers and identifiers with signs have no stem.
    fn stem<'t>(&self, term: Cow<'t, str>) -> Cow<'t, str> {
        if !term
            .chars()
            .all(|c| c.is_alphabetic() || c == '\'' || is_accent(c))
        {
            return term;
        }
        let stem = match &term {
            Cow::Borrowed(text) => self.stemmer.stem(text),
            Cow::Owned(text) => Cow::Owned(self.stemmer.stem(text).into_owned()),
        };
        if stem.is_empty() {
            term
        } else {
            stem
        }
    }
}

fn unknown(language: &str) -> CoreError {
    let names: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
    let sentence = format!(
        "Cannot analyse {language:?}: known are {}",
        names.join(", ")
    );
    CoreError::new(ErrorCode::BadArgument, sentence)
}

fn without_accents(term: Cow<'_, str>) -> Cow<'_, str> {
    if term.is_ascii() || !term.nfd().any(is_accent) {
        return term;
    }
    let folded: String = term.nfd().filter(|&c| !is_accent(c)).nfc().collect();
    if folded.is_empty() {
        term
    } else {
        Cow::Owned(folded)
    }
}

/// Marks that readers of Latin, Greek, Cyrillic, Arabic and Hebrew leave out when they type.
fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0487}' | '\u{0591}'..='\u{05bd}' | '\u{05bf}'
        | '\u{05c1}' | '\u{05c2}' | '\u{05c4}' | '\u{05c5}' | '\u{05c7}' | '\u{0610}'..='\u{061a}'
        | '\u{0640}' | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{06d6}'..='\u{06dc}'
        | '\u{06df}'..='\u{06e4}' | '\u{06e7}' | '\u{06e8}' | '\u{06ea}'..='\u{06ed}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}
