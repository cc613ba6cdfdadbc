//! What must hold for every entry.

use std::collections::{BTreeMap, BTreeSet};

use ptoc_ir::Traits;

use super::*;

/// What a text form mentions.
#[derive(Default)]
struct Mentions<'a> {
    operands: BTreeSet<&'a str>,
    types: BTreeSet<&'a str>,
    attrs: BTreeSet<&'a str>,
    results: bool,
}

impl<'a> Mentions<'a> {
    fn of(asm: &'a str) -> Self {
        let mut found = Self::default();
        for (at, c) in asm.char_indices() {
            let rest = &asm[at + c.len_utf8()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..end];
            match c {
                '%' => found.operands.insert(word),
                '@' | '!' => found.attrs.insert(word),
                '(' if asm[..at].ends_with('T') && !asm[..at - 1].ends_with(|c: char| c.is_alphanumeric()) => {
                    let close = rest.find(')').unwrap_or(0);
                    found.types.insert(&rest[..close])
                }
                'R' if rest.starts_with(['*', '(']) => std::mem::replace(&mut found.results, true),
                _ => false,
            };
        }
        found.types.remove("T*");
        found
    }
}

#[test]
fn counts_of_the_families() {
    let mut counts = BTreeMap::new();
    for op in all() {
        *counts.entry(op.family).or_insert(0) += 1;
    }
    let expected = [
        (Family::Elementwise, 36),
        (Family::TileScalar, 21),
        (Family::ReduceExpand, 29),
        (Family::MemoryMovement, 9),
        (Family::Layout, 17),
        (Family::Matrix, 12),
        (Family::Irregular, 20),
        (Family::ViewBuffer, 26),
        (Family::ScalarAggregate, 13),
        (Family::SyncConfig, 31),
        (Family::CrossCore, 18),
        (Family::Comm, 14),
        (Family::Structure, 5),
        (Family::System, 4),
        (Family::MicroConfig, 37),
        (Family::MicroDma, 67),
        (Family::MicroCube, 10),
        (Family::MicroPredicate, 33),
        (Family::MicroVector, 118),
        (Family::MicroSimt, 70),
        (Family::Vmi, 145),
        (Family::Ub, 157),
    ];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn names_are_unique_and_prefixed() {
    let mut seen = BTreeSet::new();
    for op in all() {
        assert!(op.name.starts_with("pto."), "{}", op.name);
        assert!(seen.insert(op.name), "{} twice", op.name);
        assert!(!op.summary.is_empty(), "{}", op.name);
    }
}

#[test]
fn parts_of_an_entry_have_unique_names() {
    for op in all() {
        let mut seen = BTreeSet::new();
        for name in op.operands.iter().map(|o| o.name).chain(op.attrs.iter().map(|a| a.name)) {
            assert!(seen.insert(name), "{}: {name} twice", op.name);
        }
        let results: BTreeSet<_> = op.results.iter().map(|r| r.name).collect();
        assert_eq!(results.len(), op.results.len(), "{}", op.name);
    }
}

#[test]
fn texts_mention_only_what_the_entry_has() {
    for op in all() {
        let m = Mentions::of(op.asm);
        for name in m.operands.iter().chain(&m.types) {
            assert!(
                op.operand_index(name).is_some() || op.results.iter().any(|r| r.name == *name),
                "{}: no operand {name}",
                op.name
            );
        }
        for name in &m.attrs {
            assert!(op.attr(name).is_some(), "{}: no attribute {name}", op.name);
        }
        assert_eq!(op.asm.matches('$').count(), usize::from(op.regions), "{}: regions", op.name);
    }
}

#[test]
fn texts_show_every_operand() {
    for op in all().filter(|op| !op.asm.is_empty()) {
        let m = Mentions::of(op.asm);
        for operand in op.operands {
            assert!(m.operands.contains(operand.name), "{}: {} is not in the text", op.name, operand.name);
            if operand.arity == Arity::One {
                for form in op.asm.split("||") {
                    let shown = Mentions::of(form).operands.contains(operand.name);
                    assert!(shown, "{}: {} is missing in {form}", op.name, operand.name);
                }
            }
        }
    }
}

#[test]
fn only_these_lack_a_text() {
    let without: Vec<_> = all().filter(|op| op.asm.is_empty()).map(OpDef::short_name).collect();
    assert_eq!(
        without,
        [
            "vmrgsort",
            "vmi.vlrelu",
            "vmi.vaxpy",
            "vmi.constant_mask",
            "vmi.constant",
            "vmi.channel_merge",
            "vmi.channel_split",
            "vmi.pack",
            "vmi.unpack",
        ]
    );
}

/// A repeated group takes one value of each of its operands a time.
#[test]
fn repeated_groups_hold_variadic_operands() {
    let mut groups = 0;
    for op in all() {
        for rest in op.asm.split("*{").skip(1) {
            let group = rest.split('}').next().unwrap_or_default();
            let m = Mentions::of(group);
            for name in m.operands.iter().chain(&m.types) {
                let at = op.operand_index(name).expect("checked by another test");
                assert_eq!(op.operands[at].arity, Arity::Variadic, "{}: {name}", op.name);
            }
            groups += 1;
        }
    }
    assert_eq!(groups, 8, "two a transfer with loops");
}

/// `@x=w` names a word of the attribute.
#[test]
fn fixed_words_exist() {
    for op in all() {
        for (at, _) in op.asm.match_indices('@') {
            let rest = &op.asm[at + 1..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let Some(word) = rest[end..].strip_prefix('=') else { continue };
            let word = &word[..word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len())];
            let Some(AttrDef { ty: AttrTy::Enum(e), .. }) = op.attr(&rest[..end]) else { panic!("{}", op.name) };
            assert!(e.code(word).is_some(), "{}: {word}", op.name);
        }
    }
}

/// A result whose type the text does not show is an `index` or an `i64`, by its kind.
#[test]
fn texts_show_the_result_types() {
    for op in all().filter(|op| !op.asm.is_empty() && !op.results.is_empty()) {
        let implied = op.results.iter().all(|r| matches!(r.kind, Kind::Index | Kind::Scalar));
        assert!(Mentions::of(op.asm).results || implied, "{}", op.name);
    }
}

#[test]
fn texts_are_balanced() {
    for op in all() {
        for form in op.asm.split("||") {
            for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
                assert_eq!(form.matches(open).count(), form.matches(close).count(), "{}: {form}", op.name);
            }
        }
        assert!(!op.asm.contains("  ") && op.asm.trim() == op.asm, "{}: spaces in {:?}", op.name, op.asm);
    }
}

#[test]
fn written_tiles_make_a_tile_instruction() {
    for op in all().filter(|op| op.asm.contains("outs(%")) {
        let writes_view = op.operands.iter().any(|o| o.kind == Kind::View && o.dir != Dir::In);
        assert!(op.is_tile_instruction() || writes_view, "{}", op.name);
    }
}

#[test]
fn instructions_that_keep_part_of_their_destination_read_it() {
    let kept: Vec<_> = all()
        .filter(|op| op.is_tile_instruction() && op.operands.iter().any(|o| o.dir == Dir::InOut))
        .map(OpDef::short_name)
        .collect();
    assert_eq!(
        kept,
        [
            "tfusedmuladd",
            "tfusedmuladdrelu",
            "tmuladddst",
            "taxpy",
            "tinsert",
            "tinsert_fp",
            "tfillpad_inplace",
            "tsetval",
        ]
    );
}

#[test]
fn variadic_segments_are_marked() {
    for op in all() {
        let open = op.operands.iter().filter(|o| o.arity != Arity::One).count();
        assert_eq!(op.traits.has(Traits::SEGMENTED), open > 1, "{}", op.name);
        assert!(op.operands.iter().filter(|o| o.scratch).all(|o| o.kind == Kind::Tile), "{}", op.name);
    }
}

#[test]
fn enumerations_have_unique_words_and_codes() {
    let mut kinds = BTreeSet::new();
    for e in enums::ALL {
        assert!(kinds.insert(e.kind), "{} twice", e.kind);
        assert_eq!(enums::by_kind(e.kind), Some(*e));
        let words: BTreeSet<_> = e.values.iter().map(|v| v.0).collect();
        let codes: BTreeSet<_> = e.values.iter().map(|v| v.1).collect();
        assert_eq!((words.len(), codes.len()), (e.values.len(), e.values.len()), "{}", e.kind);
    }
    assert_eq!(kinds.len(), 70);
}

/// Codes that the hardware and the vendor headers fix.
#[test]
fn codes_that_are_not_positions() {
    assert_eq!(enums::ST_PHASE.code("final"), Some(3));
    assert_eq!(enums::ACC_PHASE.word(2), Some("partial"));
    assert_eq!(enums::TINSERT_MODE.code("split4"), Some(3));
    assert_eq!(enums::MASK_PATTERN.code("P1111"), Some(7));
    assert_eq!(enums::LD_L2CACHE.code("idsfv"), Some(8));
    assert_eq!(enums::PIPE.code("PIPE_FIX"), Some(10));
}

#[test]
fn defaults_are_words_of_the_attribute() {
    for op in all() {
        for attr in op.attrs {
            let Some(default) = attr.default else { continue };
            let fits = match attr.ty {
                AttrTy::Enum(e) => e.code(default).is_some(),
                AttrTy::OneOf(es) => es.iter().any(|e| e.code(default).is_some()),
                AttrTy::Words(words) => words.contains(&default),
                AttrTy::Int(_) => default.parse::<i64>().is_ok(),
                AttrTy::Bool => matches!(default, "true" | "false"),
                AttrTy::Str => true,
                AttrTy::Ints | AttrTy::Unit | AttrTy::Any => false,
            };
            assert!(fits && !attr.required, "{}: default {default} of {}", op.name, attr.name);
        }
    }
}
