// SPDX-License-Identifier: GPL-2.0

//! The last lines of a text that arrives in pieces.

#[path = "../../tracepoint/layers/recorder/tail.rs"]
mod tail;

use tail::Tail;

/// The last `n` lines of a text in pieces of `piece` bytes, with a buffer of `size` bytes.
fn last(text: &str, piece: usize, size: usize, n: usize) -> String {
    let mut buffer = vec![b'?'; size];
    let mut tail = Tail::new(&mut buffer);
    for piece in text.as_bytes().chunks(piece) {
        tail.push(piece);
    }
    String::from_utf8(tail.last(n).to_vec()).unwrap()
}

/// What it should be: as many of the last `n` lines as fit. In a buffer that has been full, the first
/// line can't be told from the end of one.
fn expected(text: &str, size: usize, n: usize) -> Vec<String> {
    let lines: Vec<_> = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with('#'))
        .collect();
    let whole: usize = lines.iter().map(|line| line.len()).sum();
    let mut room = size;
    let mut found = Vec::new();
    for line in lines.iter().rev().take(n) {
        if line.len() > room || (line.len() == room && whole >= size) {
            break;
        }
        room -= line.len();
        found.insert(0, line.to_string());
    }
    found
}

#[test]
fn lines() {
    let text = "# tracer: nop\n#\none\ntwo # not a comment\n\n# three\nfour\n";
    assert_eq!(last(text, 3, 100, 0), "");
    assert_eq!(last(text, 3, 100, 1), "four\n");
    assert_eq!(last(text, 3, 100, 2), "\nfour\n");
    assert_eq!(last(text, 3, 100, 3), "two # not a comment\n\nfour\n");
    assert_eq!(last(text, 3, 100, 9), "one\ntwo # not a comment\n\nfour\n");
    assert_eq!(last("", 1, 100, 1), "");
    assert_eq!(last("# only\n", 1, 100, 1), "");
    assert_eq!(last("no newline", 1, 100, 1), "no newline");
    assert_eq!(last("longer than the buffer\n", 1, 5, 1), "");
    assert_eq!(last("some\n", 1, 0, 1), "");
}

#[test]
fn all_sizes() {
    let text: String = (0..40)
        .map(|n| format!("{}{n}\n", "x".repeat(n * 7 % 11)))
        .collect();
    for size in 0..300 {
        for piece in [1, 2, 7, 64, 1000] {
            for n in [0, 1, 2, 5, 39, 40, 41] {
                assert_eq!(
                    last(&text, piece, size, n),
                    expected(&text, size, n).concat(),
                    "size {size}, pieces of {piece}, {n} lines"
                );
            }
        }
    }
}
