use crate::SearchIndex;
use unicode_segmentation::UnicodeSegmentation;

fn snippet(query: &str, body: &str, width: usize) -> String {
    SearchIndex::new("english")
        .unwrap()
        .snippet(query, body, width)
}

#[test]
fn short_body_is_shown_whole() {
    assert_eq!(snippet("word", "  a word\n\n\there ", 150), "a word here");
    assert_eq!(snippet("word", "", 150), "");
    assert_eq!(snippet("", "nothing asked", 150), "nothing asked");
}

#[test]
fn match_stands_between_cuts() {
    let body = format!("{}needle {}", "before ".repeat(50), "after ".repeat(50));
    let found = snippet("needle", &body, 60);
    assert!(
        found.starts_with("…before ") && found.ends_with(" after…"),
        "{found}"
    );
    assert!(
        found.contains(" needle ") && found.chars().count() <= 62,
        "{found}"
    );
}

#[test]
fn match_at_the_end_is_shown_with_what_precedes() {
    let body = format!("{}needle", "before ".repeat(50));
    let found = snippet("needle", &body, 60);
    assert!(
        found.ends_with("before needle") && found.chars().count() > 50,
        "{found}"
    );
}

#[test]
fn start_is_shown_where_nothing_matches() {
    let found = snippet("absent", &"some words here ".repeat(40), 40);
    assert_eq!(found, "some words here some words here some…");
}

#[test]
fn rarest_word_wins() {
    let mut index = SearchIndex::new("english").unwrap();
    for n in 0..20u32 {
        let key = crate::Kbid::of(&n.to_le_bytes()).to_string();
        let record = crate::Record::section(&key, None);
        let body = if n == 0 { "common rareness" } else { "common" };
        index.add(&record, body).unwrap();
    }
    let body = format!("common {} rareness {}", "x ".repeat(200), "y ".repeat(200));
    assert!(index
        .snippet("common rare rareness", &body, 40)
        .contains("rareness"));
    assert!(index.snippet("common", &body, 40).starts_with("common"));
}

#[test]
fn graphemes_stay_whole() {
    let family = "👨‍👩‍👧‍👦";
    for width in 1..40 {
        let found = snippet(
            "東京",
            &format!("{}東京{}", family.repeat(30), "é\u{301}".repeat(30)),
            width,
        );
        let inner = found.trim_matches('…');
        let whole = |g: &str| g == family || g == "東" || g == "京" || g == "é\u{301}" || width < 8;
        assert!(inner.graphemes(true).all(whole), "{found}");
    }
}

#[test]
fn odd_bodies_are_cut_somewhere() {
    let marks = format!("a{}", "\u{301}".repeat(100_000));
    let bodies = [
        marks,
        "x".repeat(100_000),
        "🇯".repeat(50_000),
        " ".repeat(100_000),
        "ﬁ".repeat(1000),
    ];
    for body in bodies {
        for query in ["a", "x", "fi", "none"] {
            for width in [0, 1, 150] {
                assert!(snippet(query, &body, width).chars().count() <= width + 70);
            }
        }
    }
}
