use super::*;
use crate::index::tests::Random;

/// Splits, checks that nothing is lost, and gives headings with levels.
fn headings(text: &str) -> Vec<(u8, Option<String>)> {
    let split = checked(text);
    split
        .sections
        .into_iter()
        .map(|s| (s.level, s.heading))
        .collect()
}

fn checked(text: &str) -> Split {
    let split = split_markdown(text);
    let mut at = 0;
    for section in &split.sections {
        assert!(text[at..section.start].trim().is_empty(), "gap in {text:?}");
        let own = &text[section.start..section.end];
        assert_eq!(trimmed(own), (0, own.len()), "untrimmed in {text:?}");
        assert!(!own.is_empty(), "empty section in {text:?}");
        at = section.end;
    }
    assert!(text[at..].trim().is_empty(), "end of {text:?}");
    split
}

fn texts(text: &str) -> Vec<String> {
    headings(text)
        .into_iter()
        .map(|(_, heading)| heading.unwrap_or_default())
        .collect()
}

#[test]
fn b34_hashes_in_code_are_no_headings() {
    let blocks = [
        "```\n# no\n```",
        "~~~\n# no\n~~~",
        "````\n```\n# no\n```\n````",
        "- item\n\n  ```\n  # no\n  ```",
        "> ```\n> # no\n> ```",
        "    # no\n    ```",
        "<!--\n# no\n-->",
        "<pre>\n# no\n</pre>",
        "   ```\n# no\n   ```",
        "```\n# no\n``` trailing words\n# no\n```",
        "> # no",
        "- # no",
        "1. a\n\n   # no",
        "<div>\n# no\n</div>",
    ];
    for block in blocks {
        let text = format!("# First\n\n{block}\n\n# True\n\nend");
        assert_eq!(texts(&text), ["First", "True"], "{block:?}");
    }
}

#[test]
fn b34_fences_follow_commonmark() {
    assert_eq!(texts("# A\n\n```\n# no\n\n# no"), ["A"]);
    assert_eq!(texts("# A\n\n    ```\n\n# B\n\n    ```"), ["A", "B"]);
    assert_eq!(texts("# A\n\n\u{c}```\n\n# B"), ["A", "B"]);
    assert_eq!(texts("a\n# B"), ["", "B"]);
}

#[test]
fn b35_heading_oddities() {
    let text = "---\ntitle: Front\ndate: 2024-01-02\nno: yes\n---\nbefore\n\nTitle\n=====\n\nSub\n---\n\n##\n\n## C#\n\n\
        ## Use #tags ##\n\n# A\n\none\n\n# A\n\ntwo\n\n# A 2\n\n####### seven\n\n#no-space\n\n\
        ### A [link](x) and `code`\n\n###### deep\n\n---\nkey: value\n\n---\n\n| a | b |\n|---|---|\n";
    let expected = [
        (0, ""),
        (1, "Title"),
        (2, "Sub"),
        (2, ""),
        (2, "C#"),
        (2, "Use #tags"),
        (1, "A"),
        (1, "A"),
        (1, "A 2"),
        (3, "A link and code"),
        (6, "deep"),
    ];
    let found = headings(text);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((level, heading), expected) in found.iter().zip(expected) {
        assert_eq!((*level, heading.as_deref().unwrap_or_default()), expected);
    }
    assert_eq!(checked(text).title.as_deref(), Some("Front"));
}

#[test]
fn b35_front_matter_that_is_none_stays_text() {
    let unclosed = checked("---\ntitle: x\n\n# Real\n");
    assert_eq!(unclosed.title.as_deref(), Some("Real"));
    assert!(unclosed.warnings.is_empty());
    let broken = checked("---\ntitle: [open\n---\n\n# Real\n");
    assert_eq!(broken.warnings.len(), 1);
    assert!(
        broken.warnings[0].starts_with("Front matter is not valid YAML"),
        "{:?}",
        broken.warnings
    );
    let list = checked("---\n- a\n- b\n---\n\n# Real\n");
    assert_eq!(
        (list.title.as_deref(), list.warnings.len()),
        (Some("Real"), 0)
    );
    assert_eq!(
        texts("text\n\n---\nkey: value\n---\n\n# B"),
        ["", "key: value", "B"]
    );
}

#[test]
fn front_matter_belongs_to_the_leading_section() {
    let text = "---\ntitle: >\n  Two\n  lines\nnested:\n  title: no\nlist: [a, b]\n# comment\n...\ntext\n# One\n";
    let split = checked(text);
    assert_eq!(split.title.as_deref(), Some("Two lines"));
    assert_eq!(split.sections.len(), 2);
    let toml = checked("+++\ntitle = \"T \\\"q\\\"\"\n[x]\n# no\n+++\n# One\n");
    assert_eq!(toml.title.as_deref(), Some("T \"q\""));
    assert_eq!(toml.sections.len(), 2);
    assert_eq!(
        checked("+++\n[x]\ntitle = 'no'\n+++\n# One")
            .title
            .as_deref(),
        Some("One")
    );
    assert_eq!(
        checked("---\ntitle:\n---\n# One").title.as_deref(),
        Some("One")
    );
}

#[test]
fn white_space_has_no_sections() {
    for text in ["", "\n", " \n\t\n", "\u{3000}"] {
        assert!(checked(text).sections.is_empty(), "{text:?}");
    }
    assert_eq!(headings("#"), [(1, None)]);
}

#[test]
fn random_documents_lose_nothing() {
    let pieces = [
        "# A",
        "## B ##",
        "Title",
        "===",
        "---",
        "...",
        "+++",
        "```",
        "~~~",
        "> ",
        "- ",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "\n",
        "text",
        "key: value",
        "<div>",
        "<!--",
        "-->",
        "\u{c}",
        "\0",
        "é",
        "[a](b)",
        "`",
        "*",
        "1. ",
        "\u{a0}",
        "\u{2028}",
        "|",
    ];
    let mut random = Random::new(11);
    for _ in 0..20_000 {
        let text: String = (0..random.below(30))
            .map(|_| *random.pick(&pieces))
            .collect();
        checked(&text);
    }
}

#[test]
fn b40_deep_and_long_input_is_linear() {
    let count = 100_000;
    let hard = [
        ">".repeat(count),
        "[".repeat(count),
        "![".repeat(count),
        "- ".repeat(count),
        format!("{}{}", "- ".repeat(2_000), "\n".repeat(2_000)),
        "*a ".repeat(count),
        "`a``".repeat(count),
        "<a ".repeat(count),
        "[a](".repeat(count),
        "# x\n".repeat(count),
        "a\n===\n".repeat(count),
        "x".repeat(1 << 20),
        format!("---\na: {}\n---\n", "[".repeat(60_000)),
        format!("---\n{}\n---\n", "a: {".repeat(20_000)),
        format!("---\n{}---\n", "key: value\n".repeat(count)),
        format!("---\n{}---\n", "? ".repeat(30_000)),
    ];
    for text in hard {
        let start = std::time::Instant::now();
        checked(&text);
        let spent = start.elapsed();
        assert!(spent.as_secs() < 3, "{spent:?} for {:?}", &text[..20]);
    }
}
