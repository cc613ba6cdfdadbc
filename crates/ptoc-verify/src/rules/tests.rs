//! The rule tables against the instruction table and the code table.

use super::all;
use crate::CODES;
use crate::rule::{Attr, Check, Num, Opd, Rule};
use ptoc_dialect::registry::Dialects;
use ptoc_target::Arch;
use std::collections::BTreeSet;

fn rules_of(op: &crate::OpRules) -> impl Iterator<Item = &'static Rule> {
    let common = op.rules.iter().copied().flatten();
    common.chain(op.paths.iter().flat_map(|p| p.rules.iter().copied().flatten()))
}

fn numbers(n: &Num, opds: &mut Vec<Opd>) {
    match *n {
        Num::Const(_) => {}
        Num::Rows(o)
        | Num::Cols(o)
        | Num::ValidRows(o)
        | Num::ValidCols(o)
        | Num::TypeValidCols(o)
        | Num::Elements(o)
        | Num::RowBytes(o)
        | Num::ColBytes(o)
        | Num::ValidRowBytes(o)
        | Num::Bytes(o)
        | Num::PitchBytes(o)
        | Num::Block(o)
        | Num::BoxCols(o)
        | Num::Value(o)
        | Num::Address(o)
        | Num::Dim(o, _)
        | Num::DimsFrom(o, _) => opds.push(o),
        Num::ValueBytes(a, b) | Num::DimBytes(a, _, b) => opds.extend([a, b]),
        Num::Sum(a, b) | Num::Product(a, b) | Num::CeilDiv(a, b) | Num::Max(a, b) => {
            numbers(a, opds);
            numbers(b, opds);
        }
        Num::Times(a, _) | Num::RoundUp(a, _) => numbers(a, opds),
        Num::RoundUpBytes(a, o, _) => {
            opds.push(o);
            numbers(a, opds);
        }
    }
}

fn mentions(check: &Check, opds: &mut Vec<Opd>, attrs: &mut Vec<Attr>) {
    match check {
        Check::SameDtype(os) | Check::Loc(os, _) | Check::Layout(os, _) => opds.extend_from_slice(os),
        Check::Dtype(o, _)
        | Check::DtypeSize(o, _)
        | Check::Fractal(o, _)
        | Check::Compact(o, _)
        | Check::DynamicValid(o)
        | Check::Pad(o, _)
        | Check::IsTile(o)
        | Check::Present(o)
        | Check::Absent(o) => opds.push(*o),
        Check::SameDtypeSize(a, b)
        | Check::DtypePair(a, b, _)
        | Check::SameLayout(a, b)
        | Check::SameLoc(a, b)
        | Check::SameBoxing(a, b)
        | Check::LayoutPair(a, b, _)
        | Check::SameShape(a, b)
        | Check::FitsIn(a, b)
        | Check::SameValid(a, b)
        | Check::SameShapeType(a, b)
        | Check::SameStorage(a, b)
        | Check::Fills(a, b)
        | Check::Disjoint(a, b) => opds.extend([*a, *b]),
        Check::Eq(a, b) | Check::Ne(a, b) | Check::Le(a, b) | Check::Lt(a, b) | Check::Multiple(a, b) => {
            numbers(a, opds);
            numbers(b, opds);
        }
        Check::Between(a, ..) => numbers(a, opds),
        Check::Attr(a, _) | Check::HasAttr(a) | Check::NoAttr(a) => attrs.push(*a),
        Check::All(cs) | Check::Any(cs) => cs.iter().for_each(|c| mentions(c, opds, attrs)),
        Check::Not(c) => mentions(c, opds, attrs),
    }
}

/// A rule about an operand that the instruction does not have would never fire.
#[test]
fn rules_speak_of_operands_and_attributes_that_exist() {
    // Rule lists that several instructions share may speak of options that some of them lack; the checks then hold.
    const OPTIONAL: &[Opd] = &[Opd::Fp, Opd::PreQuant];
    for op in all() {
        let def = Dialects::get().def_by_name(op.op).unwrap_or_else(|| panic!("no instruction {}", op.op));
        for rule in rules_of(op) {
            let (mut opds, mut attrs) = (Vec::new(), Vec::new());
            mentions(&rule.check, &mut opds, &mut attrs);
            for o in opds {
                let named = |w: &&str| def.operand_index(w).is_some() || def.results.iter().any(|r| r.name == *w);
                let found = o.words().iter().any(named);
                assert!(found || OPTIONAL.contains(&o), "{}: {o:?} of {}", op.op, rule.sentence(def));
            }
            for a in attrs {
                let found = a.words().iter().any(|w| def.attr(w).is_some());
                let known_absent = matches!(rule.check, Check::NoAttr(_)) || a == Attr::AccToVec;
                assert!(found || known_absent, "{}: {a:?} of {}", op.op, rule.sentence(def));
            }
        }
    }
}

#[test]
fn every_code_of_a_rule_is_explained() {
    let known: BTreeSet<&str> = CODES.iter().map(|c| c.code).collect();
    assert_eq!(known.len(), CODES.len(), "a code is listed twice");
    for op in all() {
        for rule in rules_of(op) {
            assert!(known.contains(rule.code), "{}: {}", op.op, rule.code);
        }
        if !op.no_path.is_empty() {
            assert!(known.contains(op.no_path), "{}: {}", op.op, op.no_path);
        }
    }
    for code in CODES {
        assert!(!code.title.is_empty() && !code.explanation.is_empty(), "{}", code.code);
    }
}

#[test]
fn every_explained_number_is_used() {
    let used: BTreeSet<&str> = all().flat_map(|op| rules_of(op).map(|r| r.code).chain([op.no_path])).collect();
    // Reported by checks that are not rules.
    let elsewhere = [
        "SA-0065", "SA-0066", "SA-0067", "SA-0006", "SA-0351", "SA-0352", "SA-0353", "SA-0354", "SA-0218", "PTO-M021",
        "PTO-M025", "PTO-M026", "PTO-M027", "PTO-M028", "PTO-M029", "PTO-M030",
    ];
    let unused: Vec<&str> = CODES
        .iter()
        .map(|c| c.code)
        .filter(|c| !c.starts_with("PTO-V") && !c.starts_with("PTO-F") && !c.starts_with("PTO-U"))
        .filter(|c| !used.contains(c) && !elsewhere.contains(c))
        .collect();
    assert_eq!(unused, [""; 0]);
}

#[test]
fn instructions_are_listed_once_and_have_rules_on_their_targets() {
    let mut seen = BTreeSet::new();
    for op in all() {
        assert!(seen.insert(op.op), "{} twice", op.op);
        let def = Dialects::get().def_by_name(op.op).unwrap();
        for arch in Arch::ALL.into_iter().filter(|&a| def.targets.has(a)) {
            assert!(crate::rules_for(op.op, arch).next().is_some(), "{} has no rule on {arch}", op.op);
        }
    }
}

#[test]
fn sentences_read_as_english() {
    let def = |name: &str| Dialects::get().def_by_name(name).unwrap();
    let sentences = |op: &str, arch| crate::rules_for(op, arch).map(|r| r.sentence(def(op))).collect::<Vec<_>>();
    let add = sentences("pto.tadd", Arch::A2A3);
    assert!(add.contains(&"src0, src1 and dst are in vec".to_owned()), "{add:#?}");
    assert!(add.contains(&"the element type of dst is i32, i16, f16 or f32".to_owned()), "{add:#?}");
    let insert = sentences("pto.tinsert", Arch::A5);
    assert!(insert.contains(&"indexRow + valid rows of src <= rows of dst".to_owned()), "{insert:#?}");
    let product = sentences("pto.trowprod", Arch::A5);
    assert!(product.contains(&"when dst is DN: columns of dst = 1".to_owned()), "{product:#?}");
}
