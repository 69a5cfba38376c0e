//! What ranks above what, and what a query may hold.

use super::*;

fn first(index: &mut SearchIndex, query: &str) -> String {
    let response = search(index, query);
    assert!(!response.items.is_empty(), "nothing for {query:?}");
    response.items[0].record.kbid.clone()
}

#[test]
fn exact_form_ranks_above_stem() {
    let mut index = index_of(&["the parcels are here", "the parcel is here"]);
    for body in ["the parcels are here", "the parcel is here"] {
        let word = body.split(' ').nth(1).unwrap();
        assert_eq!(first(&mut index, word), sample(None, body).record.kbid);
    }
    assert_eq!(
        search(&mut index, "parcels").items[0].matched_terms,
        ["parcels"]
    );
    assert_eq!(search(&mut index, "PARCEL's").total, 2);
}

#[test]
fn title_counts_twice() {
    let mut index = english();
    let (titled, plain) = (
        sample(Some("Parcel"), "about the post office"),
        sample(None, "parcel about the post office"),
    );
    add(&mut index, &plain);
    add(&mut index, &titled);
    assert_eq!(first(&mut index, "parcel"), titled.record.kbid);
}

#[test]
fn accents_are_found_without_and_rank_first_with() {
    let mut index = index_of(&[
        "my resume here",
        "my résumé here",
        "Ёлка стоит",
        "كِتَاب جديد",
    ]);
    assert_eq!(search(&mut index, "resume").total, 2);
    assert_eq!(
        first(&mut index, "résumé"),
        sample(None, "my résumé here").record.kbid
    );
    assert_eq!(
        first(&mut index, "resume"),
        sample(None, "my resume here").record.kbid
    );
    assert_eq!(search(&mut index, "елка").total, 1);
    assert_eq!(search(&mut index, "كتاب").total, 1);
}

#[test]
fn b28_whole_form_finds_its_section_first() {
    let names = [
        "getUserName",
        "HTTPServerError",
        "parse_http_header",
        "src/utils/parcel-sorter.ts",
        "C:\\data\\in.csv",
        "Foo::bar",
        "obj.method()",
        "C++",
        "C#",
        "C",
        ".NET",
        "node:fs",
        "@scope/pkg",
        "std::vector<int>",
        "--dry-run",
        "$HOME",
        "a_b",
        "naïveParser",
    ];
    let bodies: Vec<String> = names
        .iter()
        .map(|name| format!("Notes on {name} and other words"))
        .collect();
    let mut index = index_of(&bodies.iter().map(String::as_str).collect::<Vec<_>>());
    for (name, body) in names.iter().zip(&bodies) {
        let own = sample(None, body).record.kbid;
        assert_eq!(first(&mut index, name), own, "{name}");
        assert_eq!(
            first(&mut index, &name.to_uppercase()),
            own,
            "{name} in capitals"
        );
    }
    for (part, name) in [
        ("user", 0),
        ("server", 1),
        ("header", 2),
        ("sorter", 3),
        ("csv", 4),
        ("bar", 5),
        ("net", 10),
        ("getusername", 0),
        ("vector", 13),
        ("home", 15),
        ("naive", 17),
    ] {
        let own = sample(None, &bodies[name]).record.kbid;
        assert!(keys(&search(&mut index, part)).contains(&own), "{part}");
    }
}

#[test]
fn b26_any_text_is_a_query() {
    let texts = [
        "a/b",
        "don't",
        "multi-step",
        "\"",
        "\"open",
        "(",
        "a AND",
        "NOT",
        "NEAR(",
        "col:x",
        "*",
        "^",
        "\\",
        "{{x}}",
        "",
        "   ",
        "the who",
        "to be or not to be",
        "what's going on?",
        "nul\0in it",
        "👍",
        "--help me",
        "-- -x",
    ];
    let mut index = index_of(&texts);
    for text in texts {
        let has_words = text.chars().any(|c| c.is_alphanumeric() || c == '👍');
        let found = keys(&search(&mut index, text));
        assert_eq!(
            found.contains(&sample(None, text).record.kbid),
            has_words,
            "{text:?}"
        );
        assert!(has_words || found.is_empty(), "{text:?}");
    }
    let long = "lorem ipsum ".repeat(90_000);
    assert_eq!(search(&mut index, &long).total, 0);
    let many: String = (0..10_000).map(|n| format!("w{n} ")).collect();
    assert_eq!(
        search(&mut index, &format!("{many} who")).items[0].matched_terms,
        ["who"]
    );
}

#[test]
fn b29_scripts_without_spaces_are_found() {
    let cases = [
        ("我喜欢在北京的图书馆读书。", "图书", "火车"),
        ("東京タワーへ行きました。", "タワ", "大阪"),
        ("ひらがなのぶんしょう", "なの", "ねこ"),
        ("학교에서 친구를 만났다", "학교", "바다"),
        ("ฉันชอบกินข้าวผัด", "กิน", "ทะเล"),
        ("ខ្ញុំចូលចិត្តអានសៀវភៅ", "អាន", "ទឹក"),
        ("ຂ້ອຍມັກອ່ານປຶ້ມ", "ອ່ານ", "ນ້ຳ"),
        ("ကျွန်တော်စာဖတ်", "စာ", "ရေ"),
        ("الكتاب على الطاولة", "الطاولة", "بحر"),
        ("הספר על השולחן", "השולחן", "ים"),
        ("मुझे किताबें पढ़ना पसंद है", "किताबें", "समुद्र"),
        ("Tôi thích đọc sách", "đọc", "biển"),
        ("Мне нравится читать книги", "читать", "море"),
        ("𠮷野家で食べる", "𠮷野", "寿司"),
        ("party 👨‍👩‍👧‍👦 in 🇯🇵 today", "👨‍👩‍👧‍👦", "🇫🇷"),
        ("Rust言語を学ぶ", "rust", "java"),
        ("Rust言語を学ぶ", "言語", "英語"),
    ];
    for (text, inside, absent) in cases {
        let mut index = english();
        assert!(add(&mut index, &sample(None, text)) > 0, "{text}");
        assert_eq!(search(&mut index, inside).total, 1, "{inside} in {text}");
        assert_eq!(search(&mut index, text).total, 1, "{text} in itself");
        assert_eq!(search(&mut index, absent).total, 0, "{absent} in {text}");
        let snippet = index.snippet(inside, &format!("{}{text}", "x ".repeat(300)), 60);
        assert!(snippet.to_lowercase().contains(inside), "{snippet}");
    }
    let mut index = index_of(&["东京"]);
    assert_eq!(search(&mut index, "东").total, 1);
    assert_eq!(search(&mut index, "京都").total, 0);
}

#[test]
fn b31_pages_neither_overlap_nor_miss() {
    let bodies: Vec<String> = (0..120)
        .map(|n| format!("the common text ends with w{n}"))
        .collect();
    let mut index = index_of(&bodies.iter().map(String::as_str).collect::<Vec<_>>());
    let page = |index: &mut SearchIndex, offset, limit| {
        let request = SearchRequest {
            offset,
            ..SearchRequest::new("common", limit)
        };
        let response = index.search(&request).unwrap();
        assert_eq!(response.total, 120);
        keys(&response)
    };
    let pages: Vec<String> = (0..12).flat_map(|n| page(&mut index, n * 10, 10)).collect();
    assert!(pages.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(page(&mut index, 0, 50), pages[..50]);
    assert!(page(&mut index, 120, 10).is_empty());
    assert!(page(&mut index, 0, 0).is_empty());
    index.seal().unwrap();
    assert_eq!(page(&mut index, 0, 120), pages);
}

#[test]
fn words_behind_the_sixty_fourth_are_named_too() {
    let words: Vec<String> = (0..80).map(|n| format!("word{n}")).collect();
    let mut index = index_of(&[&words.join(" ")]);
    assert_eq!(
        search(&mut index, &words.join(" ")).items[0].matched_terms,
        words
    );
    index.seal().unwrap();
    assert_eq!(
        search(&mut index, &words.join(" ")).items[0].matched_terms,
        words
    );
}

#[test]
fn other_languages_have_their_stems() {
    let mut index = SearchIndex::new("german").unwrap();
    add(&mut index, &sample(None, "Die Häuser stehen dort"));
    for query in ["Haus", "häusern", "hauser"] {
        assert_eq!(search(&mut index, query).total, 1, "{query}");
    }
    assert!(SearchIndex::new("klingon").is_err());
}
