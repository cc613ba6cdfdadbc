//! Items of a type whose parameters are plain, straight from its bytes.
//!
//! Nearly every type is a head and words, numbers and punctuation in `<...>`. Those need neither the lexer's full set of tokens
//! nor the classification. Whatever is not plain is left to them, so there is one definition of everything else.

use ptoc_source::Span;

use crate::limits::Limits;
use crate::tree::{ItemKind, Node};

/// Deepest nesting of `<...>`.
const DEPTH: usize = 4;

/// The items of a text that begins at byte `base` of its file; `None` unless it is plain.
pub(crate) fn items(text: &str, base: u32, limits: &Limits) -> Option<Vec<Node>> {
    if (limits.max_depth as usize) < DEPTH {
        return None;
    }
    let bytes = text.as_bytes();
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let mut nodes: Vec<Node> = Vec::with_capacity(bytes.len() / 2);
    let mut open = [0_usize; DEPTH];
    let mut depth = 0;
    let mut i = 0;
    while i < bytes.len() {
        let from = i;
        i += 1;
        let kind = match byte(from) {
            b' ' => continue,
            b',' => ItemKind::Comma,
            b':' => ItemKind::Colon,
            b'=' => ItemKind::Equal,
            b'?' => ItemKind::Question,
            b'!' | b'#' => {
                if !starts_word(byte(i)) {
                    return None;
                }
                i = word(bytes, i);
                while byte(i) == b'.' && is_word(byte(i + 1)) {
                    i = word(bytes, i + 1);
                }
                if byte(from) == b'!' { ItemKind::BangWord } else { ItemKind::HashWord }
            }
            b'-' | b'0'..=b'9' => {
                if byte(from) == b'-' && !byte(i).is_ascii_digit() {
                    return None;
                }
                while byte(i).is_ascii_digit() {
                    i += 1;
                }
                // A float, a hexadecimal number, or `0x16`, which are dimensions at some places only.
                let zero = byte(i - 1) == b'0' && (i - 1 == from || byte(i - 2) == b'-');
                if matches!(byte(i), b'.' | b'e' | b'E') || (zero && matches!(byte(i), b'x' | b'X')) {
                    return None;
                }
                ItemKind::Int
            }
            // The dimensions after a number.
            b'x' if nodes.last().is_some_and(|n| {
                matches!(n.kind, ItemKind::Int | ItemKind::Question) && n.span.end == base + from as u32
            }) =>
            {
                let end = word(bytes, i);
                if matches!(byte(end), b'-' | b'.') {
                    return None;
                }
                i = dimensions(bytes, from, end, base, &mut nodes);
                continue;
            }
            b if starts_word(b) => {
                i = word(bytes, i);
                if matches!(byte(i), b'-' | b'.') {
                    return None;
                }
                ItemKind::Word
            }
            b'<' => {
                *open.get_mut(depth)? = nodes.len();
                depth += 1;
                ItemKind::Angle
            }
            b'>' => {
                depth = depth.checked_sub(1)?;
                let group = *open.get(depth)?;
                let inside = nodes.len() - group - 1;
                let node = nodes.get_mut(group)?;
                node.link = inside as u32;
                node.span.end = base + i as u32;
                continue;
            }
            _ => return None,
        };
        nodes.push(Node { span: Span::new(base + from as u32, base + i as u32), link: 0, kind });
    }
    (depth == 0).then_some(nodes)
}

/// Splits the `x32xf16` in `from..end`; gives `end`.
fn dimensions(bytes: &[u8], from: usize, end: usize, base: u32, nodes: &mut Vec<Node>) -> usize {
    let byte = |i: usize| if i < end { bytes.get(i).copied().unwrap_or(0) } else { 0 };
    let mut push = |from: usize, to: usize, kind| {
        nodes.push(Node { span: Span::new(base + from as u32, base + to as u32), link: 0, kind });
    };
    let mut at = from;
    while byte(at) == b'x' {
        push(at, at + 1, ItemKind::Cross);
        at += 1;
        let number = at;
        while byte(at).is_ascii_digit() {
            at += 1;
        }
        if at == number {
            break;
        }
        push(number, at, ItemKind::Int);
    }
    if at < end {
        push(at, end, ItemKind::Word);
    }
    end
}

/// The end of the word that goes on at `i`.
fn word(bytes: &[u8], mut i: usize) -> usize {
    while bytes.get(i).is_some_and(|&b| is_word(b)) {
        i += 1;
    }
    i
}

const fn starts_word(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_'
}

const fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::tests::items_by_tokens;

    /// What the tokens make of the text, when this module reads it at all.
    fn check(text: &str) -> bool {
        let Some(got) = items(text, 7, &Limits::default()) else { return false };
        assert_eq!(got, items_by_tokens(text, 7), "{text}");
        true
    }

    #[test]
    fn common_types_are_plain() {
        for text in [
            "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=-1, blayout=row_major, pad=0>",
            "!pto.tile_buf<vec, 16x?xf32, valid=1x?>",
            "!pto.partition_tensor_view<1x?x16xf8E4M3FN>",
            "!pto.ptr<!pto.hif8, gm>",
            "!pto.tile<16x64x!pto.f4E2M1x2>",
            "vector<4x8xi16>",
            "f32",
            "!alias",
        ] {
            assert!(check(text), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_tokens() {
        for text in ["!a<\"s\">", "!a<0x16xf32>", "!a<1.5>", "!a<b-c>", "!a<(i32) -> i32>", "!a<", "!a>", "!a<é>", "!"]
        {
            assert!(!check(text), "{text}");
        }
    }

    #[test]
    fn any_mixture_is_read_as_the_tokens_are() {
        const PIECES: [&str; 32] = [
            "!", "#", "a", "pto", ".", "x", "xx", "x4x", "16", "0", "00", "-", "-3", "?", "?x", "<", ">", ",", "=",
            ":", " ", "f32", "e5", "E", "_", "$", "x16xf16", "vector", "tensor<", "dense<", "X", "1x2",
        ];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut plain = 0;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(PIECES[(state >> 59) as usize]);
            }
            plain += u32::from(check(&text));
        }
        assert!(plain > 500, "{plain}");
    }
}
