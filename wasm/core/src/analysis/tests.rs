use super::*;

fn terms(text: &str, mode: Mode) -> Vec<String> {
    let mut found = Vec::new();
    let analyzer = Analyzer::new("english").unwrap();
    analyzer.tokens(text, mode, |token| found.push(token.term.to_string()));
    found
}

fn indexed(text: &str) -> String {
    terms(text, Mode::Index).join(" ")
}

#[test]
fn b28_identifiers_are_kept_whole_and_split() {
    let cases = [
        ("getUserName", "getusername get user name"),
        ("HTTPServerError", "httpservererror http server error"),
        ("parse_http_header", "parse_http_header parse http header"),
        (
            "src/utils/parcel-sorter.ts",
            "src/utils/parcel-sorter.ts src utils parcel sorter ts",
        ),
        ("C:\\data\\in.csv", "c:\\data\\in.csv c data in csv"),
        ("Foo::bar", "foo::bar foo bar"),
        ("obj.method()", "obj.method obj method"),
        ("C++", "c++ c"),
        ("C#", "c# c"),
        ("C", "c"),
        (".NET", ".net net"),
        ("node:fs", "node:fs node fs"),
        ("@scope/pkg", "@scope/pkg scope pkg"),
        ("std::vector<int>", "std::vector<int> std vector int"),
        ("--dry-run", "dry-run dry run"),
        ("$HOME", "$home home"),
        ("a_b", "a_b a b"),
        ("naïveParser", "naïveparser naïve parser"),
        ("v1.2.3", "v1.2.3 v1 2 3"),
        ("E0308", "e0308"),
        ("ERR_INVALID_ARG", "err_invalid_arg err invalid arg"),
        ("URLs", "urls"),
        ("utf8Decoder", "utf8decoder utf8 decoder"),
    ];
    for (text, expected) in cases {
        assert_eq!(indexed(text), expected, "{text}");
    }
}

#[test]
fn punctuation_of_sentences_is_stripped() {
    let cases = [
        ("(hello), \"world\"!", "hello world"),
        ("**bold** `code` [link](a/b).", "bold code link a/b a b"),
        ("Use C++, C#. And .NET?", "use c++ c c# c and .net net"),
        ("<b>bold</b> a->b", "b bold b a b"),
        ("don't don’t 'quoted' it's", "don't don't quoted it's"),
        ("## Use #tags ##", "use tags"),
        ("... -- !!! '", ""),
        ("a\0b\u{c}c", "a b c"),
    ];
    for (text, expected) in cases {
        assert_eq!(indexed(text), expected, "{text}");
    }
}

#[test]
fn words_fold_to_one_form() {
    let cases = [
        ("Straße", "strasse"),
        ("ＦＵＬＬ", "full"),
        ("ﬁne", "fine"),
        ("cafe\u{301}", "caf\u{e9}"),
        ("so\u{ad}ft", "soft"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("ｶﾞ", "ガ"),
        ("❤\u{fe0f}", "❤"),
    ];
    for (text, expected) in cases {
        assert_eq!(indexed(text), expected, "{text}");
    }
}

#[test]
fn b29_runs_become_pairs_and_singles() {
    assert_eq!(indexed("東京都"), "東 東京 京 京都 都");
    assert_eq!(terms("東京都", Mode::Query), ["東京", "京都"]);
    assert_eq!(terms("東", Mode::Query), ["東"]);
    assert_eq!(indexed("Rust言語"), "rust 言 言語 語");
    assert_eq!(indexed("กินข้าว"), "กิ กิน น นข้ ข้ ข้า า าว ว");
    assert_eq!(indexed("👨‍👩‍👧 🇯🇵🇫🇷 👍🏽ok"), "👨‍👩‍👧 🇯🇵 🇫🇷 👍🏽 ok");
}

#[test]
fn places_follow_the_parts() {
    let analyzer = Analyzer::new("english").unwrap();
    let mut found = Vec::new();
    let places = analyzer.tokens("see getUser 東京 end", Mode::Index, |t| {
        found.push((t.term.to_string(), t.position))
    });
    let expected = [
        ("see", 0),
        ("getuser", 1),
        ("get", 1),
        ("user", 2),
        ("東", 3),
        ("東京", 3),
        ("京", 4),
        ("end", 5),
    ];
    assert_eq!(places, 6);
    assert_eq!(
        found,
        expected.map(|(term, place)| (term.to_string(), place))
    );
}

#[test]
fn offsets_point_into_the_source() {
    let analyzer = Analyzer::new("english").unwrap();
    for text in [
        "Ａ＋ ﬁne(ＸＹ).z e\u{301}té, don’t ½ ㍿x 👨‍👩‍👧a C++!",
        "a\u{301}\u{302}b c",
    ] {
        analyzer.tokens(text, Mode::Index, |token| {
            let source = &text[token.start..token.end];
            assert!(!source.is_empty() && token.start < token.end, "{token:?}");
            assert!(
                !source.contains([' ', '(', ')', ',', '!']),
                "{token:?} {source:?}"
            );
        });
    }
    let mut found = Vec::new();
    analyzer.tokens("x ＦＵＬＬ.", Mode::Index, |t| {
        found.push((t.start, t.end))
    });
    assert_eq!(found, [(0, 1), (2, 14)]);
}

#[test]
fn groups_join_the_forms_of_a_word() {
    let english = Analyzer::new("english").unwrap();
    for (term, group) in [
        ("running", "run"),
        ("résumé", "resum"),
        ("parcel's", "parcel"),
        ("c++", "c++"),
        ("v1.2", "v1.2"),
        ("東京", "東京"),
        ("ёлка", "елка"),
    ] {
        assert_eq!(&*english.group(term), group);
    }
    let russian = Analyzer::new("russian").unwrap();
    assert_eq!(russian.group("красивый"), russian.group("красивая"));
    let spanish = Analyzer::new("spanish").unwrap();
    assert_eq!(spanish.group("canciones"), spanish.group("canción"));
}

#[test]
fn b40_long_words_keep_their_start() {
    assert_eq!(indexed(&"a".repeat(1 << 20)), "a".repeat(64));
    assert_eq!(indexed(&"é".repeat(100)), "é".repeat(64));
    assert_eq!(
        terms(&"a\u{301}\u{302}".repeat(100), Mode::Query)[0]
            .chars()
            .count(),
        64
    );
}

#[test]
fn b40_analysis_is_linear() {
    let hard = [
        "x".repeat(1 << 20),
        "\u{301}".repeat(1 << 19),
        format!("a{}", "\u{301}".repeat(1 << 19)),
        format!("東{}", "\u{3099}".repeat(1 << 18)),
        "🇯".repeat(1 << 18),
        "👨\u{200d}".repeat(1 << 17),
        "aB".repeat(1 << 19),
        "a.".repeat(1 << 19),
        "<".repeat(1 << 20),
        "a<".repeat(1 << 18),
        "a>b<".repeat(1 << 18),
        "क्".repeat(1 << 17),
        "東".repeat(1 << 18),
        "ﬁ".repeat(1 << 18),
        "'".repeat(1 << 20),
        "a'".repeat(1 << 19),
        "+".repeat(1 << 20),
        "a \u{301}.".repeat(1 << 17),
        (0..200_000).map(|n| format!("w{n:x} ")).collect(),
    ];
    let analyzer = Analyzer::new("english").unwrap();
    for text in hard {
        let start = std::time::Instant::now();
        analyzer.tokens(&text, Mode::Index, |token| {
            analyzer.group(token.term);
        });
        let spent = start.elapsed();
        let shown: String = text.chars().take(5).collect();
        assert!(spent.as_secs() < 3, "{spent:?} for {shown:?}");
    }
}
