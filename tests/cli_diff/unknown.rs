//! What is not known ends with 5 and not as if nothing had closed; whom a file names in odd ways is asked too.

use std::fmt::Write;

use crate::cli::{Bench, robots};

/// So many patterns with so many stars that their paths cannot be walked within the work that a comparison may take.
fn entangled() -> String {
    let mut body = String::from("User-agent: *\nDisallow: /\n");
    for number in 0..60_u32 {
        let letter = |step: u32| char::from_u32(97 + (number * step + step) % 26).unwrap();
        let (a, b, c) = (letter(1), letter(7), letter(11));
        writeln!(body, "Allow: /*{a}*{b}*{c}*{number}*q").unwrap();
    }
    body
}

#[test]
fn what_opened_says_nothing_of_what_may_have_closed() {
    let bench = Bench::new();
    let new = "User-agent: *\nDisallow: /\nAllow: /open\n";
    let of = |body: &str| [robots("https://www.example.com", body)];
    bench.robots("old.parquet", &of(&entangled()));
    bench.robots("new.parquet", &of(new));
    bench.write("old.txt", entangled());
    bench.write("new.txt", new);
    let files = bench.run(&["diff", "old.txt", "new.txt", "--json"]).json();
    let seen = ["something_closed", "something_opened"].map(|key| files[key] == true);
    assert_eq!((seen, &files["agents"][0]["complete"]), ([false, true], &false.into()), "{files}");
    bench
        .run(&["diff", "old.parquet", "new.parquet", "--agent", "*", "-o", "c.parquet"])
        .ends_with(5);
}

#[test]
fn nothing_to_compare_is_not_known() {
    let bench = Bench::new();
    bench.robots("a.parquet", &[robots("https://a.example.com", "")]);
    bench.robots("b.parquet", &[robots("https://b.example.com", "")]);
    bench.run(&["diff", "a.parquet", "b.parquet"]).ends_with(5);
    bench.run(&["diff", "a.parquet", "a.parquet"]).ends_with(0);
}

#[test]
fn agents_are_asked_by_all_names_that_a_line_gives() {
    let cases: [(&[u8], &str); 3] =
        [(b"GPTBot\xa0", "GPTBot"), (b"GPTBot, CCBot", "GPTBot"), (b"Foo1", "Foo")];
    for (name, agent) in cases {
        let bench = Bench::new();
        let body =
            |rule: &str| [b"User-agent: ", name, format!("\n{rule}: /\n").as_bytes()].concat();
        bench.write("old.txt", body("Allow"));
        bench.write("new.txt", body("Disallow"));
        let run = bench.run(&["diff", "old.txt", "new.txt", "--json"]).ends_with(1);
        let asked = run.json()["changes"].to_string() + &run.json()["agents"].to_string();
        assert!(asked.contains(&format!("\"{agent}\"")), "{agent}: {asked}");
    }
}

/// A token and a whole name of one line may be in other groups as well: a closure for one of them is seen.
#[test]
fn a_closure_for_the_token_alone_is_seen() {
    let bench = Bench::new();
    bench.write("old.txt", "User-agent: Foo1\nDisallow: /a\n\nUser-agent: Foo2\nDisallow: /b\n");
    bench.write("new.txt", "User-agent: Foo1\nDisallow: /a\n\nUser-agent: Foo2\nDisallow: /b\n\nUser-agent: Foo\nDisallow: /c\n");
    bench.run(&["diff", "old.txt", "new.txt", "-q"]).ends_with(1);
    let old = "User-agent: Foo1\nDisallow: /private/\n";
    bench.write("old.txt", old.replace("Foo1", "Foo2") + "\nUser-agent: Foo1\nAllow: /private/x\n");
    bench.write("new.txt", old.replace("Foo1", "Foo2") + "\nUser-agent: Foo1\nAllow: /private/\n");
    bench.run(&["diff", "old.txt", "new.txt", "-q"]).ends_with(0);
    bench.run(&["diff", "new.txt", "old.txt", "-q"]).ends_with(1);
}
