use super::*;
use crate::index::tests::Random;

/// Each reference as `marker target` with ` | label` where there is one; checks order and offsets.
fn found(text: &str, form: Form) -> Vec<String> {
    let found = references(text.as_bytes(), form);
    let mut last = 0;
    for one in &found {
        assert!(
            last <= one.start && one.start < one.end,
            "{one:?} in {text:?}"
        );
        let own = &text[one.start..one.end];
        assert!(own.starts_with(['$', '[', '!']), "{own:?} in {text:?}");
        assert_eq!(own.trim(), own, "{text:?}");
        last = one.start;
    }
    let shown = |one: Reference| match one.label {
        Some(label) => format!("{} {} | {label}", one.marker.as_str(), one.target),
        None => format!("{} {}", one.marker.as_str(), one.target),
    };
    found.into_iter().map(shown).collect()
}

fn markdown(text: &str) -> Vec<String> {
    found(text, Form::Markdown)
}

fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(markdown(text), *expected, "{text:?}");
    }
}

#[test]
fn markers_are_found_with_their_labels() {
    check(&[
        ("$(link:abc)", &["link abc"]),
        (
            "a $(include: notes/Über uns.md )b",
            &["include notes/Über uns.md"],
        ),
        (
            "$(image:a.png|A picture)$(code:b|)",
            &["image a.png | A picture", "code b"],
        ),
        ("$(link:a|b|c)", &["link a | b|c"]),
        (
            "- $(link:a)\n\n> # $(link:b)\n\n| $(link:c) |",
            &["link a", "link b", "link c"],
        ),
        ("$(link:)$(link: )$(link:|x)$(link:a", &[]),
        ("$(link:a\nb) $(Link:a) $(other:a) $(link a) $link:a", &[]),
        ("$(link:a\nb) $(link:c)", &["link c"]),
        ("$(link:|$(link:b)", &["link b"]),
        ("\\$(link:a) \\\\$(link:b)", &["link b"]),
        ("**$(link:a_b)**_$(link:c*d)_", &["link a_b", "link c*d"]),
    ]);
}

#[test]
fn markers_in_code_are_none() {
    check(&[
        ("`$(link:a)` $(link:b) `` ` $(link:c)``", &["link b"]),
        ("`$(link:` and $(link:a)", &["link a"]),
        ("```\n$(link:a)\n```\n\n$(link:b)", &["link b"]),
        ("~~~ $(link:a)\n$(link:b)\n", &[]),
        ("text\n\n    $(link:a)\n\n- x\n\n      $(link:b)", &[]),
        ("> ```\n> $(link:a)\n> ```\n> $(link:b)", &["link b"]),
        ("text\n    $(link:a)", &["link a"]),
    ]);
}

#[test]
fn markers_in_html_comments_and_html_code_are_none() {
    check(&[
        ("<!-- $(link:a) --> $(link:b)", &["link b"]),
        ("<!--\n\n$(link:a)\n\n-->\n\n$(link:b)", &["link b"]),
        ("a <!-- $(link:a) --> $(link:b)", &["link b"]),
        ("<pre>\n\n$(link:a)\n</pre>\n$(link:b)", &["link b"]),
        (
            "a <code>$(link:a)</code> $(link:b) <CODE class=x>$(link:c)</CODE>",
            &["link b"],
        ),
        ("<div><code>$(link:a)</code>$(link:b)</div>", &["link b"]),
        (
            "<div>\n$(link:a)\n<!-- $(link:b) -->\n$(link:c)\n</div>",
            &["link a", "link c"],
        ),
        (
            "a <code>$(link:a)\n\n$(link:b)</code>",
            &["link a", "link b"],
        ),
        ("<style>$(link:a)", &[]),
    ]);
}

#[test]
fn plain_texts_have_markers_anywhere() {
    let text = "`$(link:a)` [[b]] [c](c.md)\n    $(code:d|e)<!-- $(image:f) --> \\$(link:g)";
    assert_eq!(
        found(text, Form::Plain),
        ["link a", "code d | e", "image f"]
    );
    assert_eq!(found("---\na: $(link:b)\n---\n", Form::Plain), ["link b"]);
}

#[test]
fn wiki_links_keep_their_heading() {
    check(&[
        (
            "[[Name]] and [[ Über uns |label]]",
            &["wikilink Name", "wikilink Über uns | label"],
        ),
        (
            "[[Name#Part one|x]]![[b.png]]",
            &["wikilink Name#Part one | x", "wikilink b.png"],
        ),
        ("| [[a\\|b]] |\n|---|\n", &["wikilink a | b"]),
        (
            "[[#here]] [[]] [[ ]] [[|x]] [[a]b]] [[a\nb]] \\[[c]] `[[d]]`",
            &[],
        ),
        ("[[[a]]]", &["wikilink a"]),
        ("[[1]](https://x.y/1) [[a]](b.md)", &["mdlink b.md | [a]"]),
        ("[[$(link:a)]]", &["link a"]),
        ("[[a]]\n\n[a]: b.md", &["mdlink b.md | a"]),
    ]);
}

#[test]
fn relative_links_are_references() {
    check(&[
        (
            "[a **b** `c`](d/e.md \"title\")",
            &["mdlink d/e.md | a b c"],
        ),
        (
            "![alt](../pic%20one.png) [](x.md)",
            &["mdlink ../pic one.png | alt", "mdlink x.md"],
        ),
        (
            "[![i](i.png) t](p.md)",
            &["mdlink p.md | t", "mdlink i.png | i"],
        ),
        (
            "[a](b.md?v=1#part%20two) [c](/d) [e](<f g.md>)",
            &[
                "mdlink b.md#part two | a",
                "mdlink /d | c",
                "mdlink f g.md | e",
            ],
        ),
        (
            "[a](b%ff.md) [c](d%zz.md) [e](f%2)",
            &["mdlink b%ff.md | a", "mdlink d%zz.md | c", "mdlink f%2 | e"],
        ),
        (
            "[a](x:y) [b](//h/p) [c](#d) [e]() [f](?g) [h](?i#j) <k:l> <a@b.c>",
            &[],
        ),
        (
            "[a](mailto:b@c.d) [e](HTTP://f) [g](a/b:c)",
            &["mdlink a/b:c | g"],
        ),
        ("[$(link:a)](b.md)", &["mdlink b.md | $(link:a)", "link a"]),
        ("[a]($(link:b))", &["link b"]),
        ("`[a](b.md)` \\[c](d.md)\n\n    [e](f.md)", &[]),
    ]);
}

#[test]
fn link_definitions_are_references_once() {
    check(&[
        (
            "[a][B  c] [d][] [e]\n\n[b c]: f.md\n[d]: g.md\n[e]: h.md",
            &["mdlink f.md | a", "mdlink g.md | d", "mdlink h.md | e"],
        ),
        (
            "text\n\n[un used]: <a%20b.md> 'title'\n[w]: https://x.y\n",
            &["mdlink a b.md | un used"],
        ),
        ("[^1] [a][^1]\n\n[^1]: Word\n", &[]),
        ("[a]: b.md\n[A]: c.md", &["mdlink b.md | a"]),
        ("[a][none]", &[]),
    ]);
    let text = "x\n\n[a]: b.md\n\ny";
    let one = &references(text.as_bytes(), Form::Markdown)[0];
    assert_eq!(&text[one.start..one.end], "[a]: b.md");
}

#[test]
fn front_matter_refers_to_nothing() {
    check(&[
        (
            "---\na: $(link:b)\nc: [[d]]\n---\n$(link:e) [f](g.md)",
            &["link e", "mdlink g.md | f"],
        ),
        ("+++\na = '[[b]]'\n+++\n[[c]]", &["wikilink c"]),
        ("---\n\n$(link:a)\n\n---\n", &["link a"]),
    ]);
}

#[test]
fn bytes_that_are_no_text_refer_to_nothing() {
    assert_eq!(references(b"$(link:a)\xff", Form::Markdown), []);
    assert_eq!(references(b"\xff$(link:a)", Form::Plain), []);
    assert_eq!(references(b"", Form::Markdown), []);
    assert!(Form::named("html").is_err());
    assert_eq!(Form::named("plain"), Ok(Form::Plain));
}

#[test]
fn any_text_is_read() {
    const PIECES: [&str; 34] = [
        "$(",
        "link:",
        "include:a",
        ")",
        "|",
        "[",
        "]",
        "[[",
        "]]",
        "(",
        "](",
        "]: ",
        "!",
        "`",
        "```",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
        "<!--",
        "-->",
        "<code>",
        "</code>",
        "<pre>",
        "a.md",
        "#",
        "\\",
        "%20",
        "é",
        "東",
        " ",
        "---\n",
        "\t",
    ];
    let mut random = Random::new(31);
    for _ in 0..20_000 {
        let count = random.below(30);
        let text: String = (0..count).map(|_| *random.pick(&PIECES)).collect();
        markdown(&text);
        found(&text, Form::Plain);
    }
}

#[test]
fn b40_references_are_read_in_linear_time() {
    let hard = [
        "$(link:".repeat(1 << 17),
        format!("{})", "$(link:|".repeat(1 << 17)),
        "[[a|".repeat(1 << 18),
        "[[".repeat(1 << 19),
        "[a](".repeat(1 << 17),
        "![".repeat(1 << 16) + &"](a)".repeat(1 << 16),
        "<!--".repeat(1 << 18),
        "a <code>".repeat(1 << 16),
        "<pre>x".repeat(1 << 16),
        "\\".repeat(1 << 20) + "$(link:a)",
        "[a]: b\n".repeat(1 << 16),
        "`$(link:a".repeat(1 << 16),
    ];
    for text in hard {
        let start = std::time::Instant::now();
        markdown(&text);
        found(&text, Form::Plain);
        let spent = start.elapsed();
        let shown: String = text.chars().take(9).collect();
        assert!(spent.as_secs() < 5, "{spent:?} for {shown:?}");
    }
}
