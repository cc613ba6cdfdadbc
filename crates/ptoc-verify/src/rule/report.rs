//! A broken rule as a diagnostic with its numbers.

use super::eval::{Truth, holds, number, pad_word};
use super::text::{Namer, Quantity, list};
use super::{Check, Num, OpRules, Opd, Rule};
use crate::site::Site;
use ptoc_dialect::OpDef;
use ptoc_source::{Diagnostic, Severity};
use ptoc_target::Layout;
use smallvec::SmallVec;

type Opds = SmallVec<[Opd; 4]>;

/// The diagnostic of a broken rule.
pub(crate) fn broken(rule: &Rule, s: &Site<'_>, def: &'static OpDef) -> Diagnostic {
    let names = Namer(def);
    let mut opds = Opds::new();
    blamed(&rule.check, s, &mut opds);
    let span = opds.iter().map(|&o| s.span(o)).find(|&p| p != s.span_of_op()).unwrap_or(s.span_of_op());
    let message = format!("{}: {}", def.short_name(), message(&rule.check, s, names));
    let mut d = Diagnostic::error(rule.code, span, message);
    if rule.warning {
        d.severity = Severity::Warning;
    } else if rule.soft && holds(&rule.check, &s.only_types()) != Truth::No {
        d.severity = Severity::Warning;
        d = d.note(
            "the types allow it; the sizes given at run time do not, and elements without a value are read or written",
        );
    }
    for (i, &o) in opds.iter().enumerate() {
        let at = s.span(o);
        let text = fact(&rule.check, o, s, names);
        if at == span {
            if i == 0 || d.labels.first().is_some_and(|l| l.message.is_empty()) {
                d = d.at(text);
            }
        } else {
            d = d.label(at, text);
        }
        if let (Some(at), Some(n)) = (s.constant_origin(o), s.constant(o)) {
            d = d.label(at, format!("{} is {n}", names.opd(o)));
        }
    }
    if span != s.span_of_op() && !opds.iter().any(|&o| s.span(o) == s.span_of_op()) {
        d = d.label(s.span_of_name(), "in this instruction");
    }
    d = d.note(format!("rule on {}: {}", s.arch(), rule.sentence(def)));
    if let Some(assumed) = s.program.assumption().filter(|_| rule.targets != ptoc_dialect::Targets::BOTH) {
        d = d.note(assumed);
    }
    if let Some(both) = shapes(&opds, s, names) {
        d = d.note(both);
    }
    if !rule.why.is_empty() {
        d = d.note(rule.why);
    }
    let help = if rule.help.is_empty() { repair(&rule.check, s, names) } else { rule.help.to_owned() };
    if help.is_empty() { d } else { d.help(help) }
}

/// Where a tile meets a window of global memory: both sizes as a whole.
fn shapes(opds: &[Opd], s: &Site<'_>, names: Namer) -> Option<String> {
    let view = opds.iter().copied().find(|&o| s.is_view(o))?;
    let tile = opds.iter().copied().find(|&o| s.tile(o).is_some())?;
    let rank = s.rank(view)?;
    let dims: Vec<String> = (0..rank).rev().map(|d| s.dim(view, d).map_or("?".to_owned(), |n| n.to_string())).collect();
    Some(format!("{} is {} valid, {} a window of {}", names.opd(tile), valid(tile, s), names.opd(view), dims.join("x")))
}

/// The diagnostic of an instruction that has no way to execute with these tiles; nothing when a tile is unknown.
pub(crate) fn no_path(rules: &OpRules, s: &Site<'_>, def: &'static OpDef) -> Option<Diagnostic> {
    let names = Namer(def);
    let describe = |o: Opd| match s.tile(o) {
        Some(t) => Some(format!("{} {} {}", t.loc, t.layout(), t.dtype)),
        // Where a view may stand, only the tile decides.
        None => s.is_view(o).then(|| format!("global {}", s.dtype(o).map_or("memory", |d| d.name()))),
    };
    let dst = describe(Opd::Dst)?;
    let src = match s.value(Opd::Src) {
        Some(_) => describe(Opd::Src)?,
        None => "a number".to_owned(),
    };
    let paths: Vec<&str> =
        rules.paths.iter().filter(|p| p.targets.has(s.program.target.arch)).map(|p| p.name).collect();
    let (src_at, dst_at) = (s.span(Opd::Src), s.span(Opd::Dst));
    let (src_name, dst_name) = (names.opd(Opd::Src), names.opd(Opd::Dst));
    let message = format!("{}: no way from {src_name} ({src}) to {dst_name} ({dst}) on {}", def.short_name(), s.arch());
    let d = Diagnostic::error(rules.no_path, src_at, message).at(format!("{src_name}: {src}"));
    let d = if dst_at == src_at { d } else { d.label(dst_at, format!("{dst_name}: {dst}")) };
    let d = s.program.assumption().into_iter().fold(d, Diagnostic::note);
    let ways = if paths.is_empty() { "none".to_owned() } else { paths.join("; ") };
    Some(
        d.note(format!("the ways on {}: {ways}", s.arch()))
            .help("move the data through a location that is connected, or change the layouts or options"),
    )
}

/// The operands a check speaks of, each once.
fn blamed(check: &Check, s: &Site<'_>, out: &mut Opds) {
    let mut push = |o: Opd| {
        if !out.contains(&o) {
            out.push(o);
        }
    };
    match check {
        Check::SameDtype(os) => os.iter().copied().for_each(push),
        Check::Dtype(o, _)
        | Check::DtypeSize(o, _)
        | Check::Fractal(o, _)
        | Check::Pad(o, _)
        | Check::Compact(o, _)
        | Check::DynamicValid(o)
        | Check::Present(o)
        | Check::Absent(o)
        | Check::IsTile(o) => push(*o),
        Check::Loc(os, _) | Check::Layout(os, _) => wrong(check, os, s).into_iter().for_each(push),
        Check::SameShape(a, b)
        | Check::FitsIn(a, b)
        | Check::SameValid(a, b)
        | Check::SameDtypeSize(a, b)
        | Check::DtypePair(a, b, _)
        | Check::SameLayout(a, b)
        | Check::SameLoc(a, b)
        | Check::SameBoxing(a, b)
        | Check::LayoutPair(a, b, _)
        | Check::SameShapeType(a, b)
        | Check::SameStorage(a, b)
        | Check::Fills(a, b)
        | Check::Disjoint(a, b) => [*a, *b].into_iter().for_each(push),
        Check::Eq(a, b) | Check::Ne(a, b) | Check::Le(a, b) | Check::Lt(a, b) | Check::Multiple(a, b) => {
            numbers(a, out);
            numbers(b, out);
        }
        Check::Between(a, ..) => numbers(a, out),
        Check::Attr(..) | Check::HasAttr(_) | Check::NoAttr(_) => {}
        Check::All(cs) | Check::Any(cs) => cs.iter().for_each(|c| blamed(c, s, out)),
        Check::Not(c) => blamed(c, s, out),
    }
}

fn numbers(n: &Num, out: &mut Opds) {
    let mut push = |o: Opd| {
        if !out.contains(&o) {
            out.push(o);
        }
    };
    match n {
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
        | Num::DimsFrom(o, _) => push(*o),
        Num::ValueBytes(o, t) | Num::DimBytes(o, _, t) => {
            push(*o);
            push(*t);
        }
        Num::Sum(a, b) | Num::Product(a, b) | Num::CeilDiv(a, b) | Num::Max(a, b) => {
            numbers(a, out);
            numbers(b, out);
        }
        Num::Times(a, _) | Num::RoundUp(a, _) | Num::RoundUpBytes(a, ..) => numbers(a, out),
    }
}

/// A number with its value: `indexRow 24 + 16 valid rows of src = 40`.
fn spelled(n: &Num, s: &Site<'_>, names: Namer) -> String {
    let value = |n: &Num| number(n, s).map_or("?".to_owned(), |v| v.to_string());
    match n {
        Num::Const(c) => c.to_string(),
        Num::Value(o) => format!("{} {}", names.opd(*o), value(n)),
        Num::Sum(a, b) => format!("{} = {}", terms(a, b, s, names), value(n)),
        Num::Rows(_)
        | Num::Cols(_)
        | Num::ValidRows(_)
        | Num::ValidCols(_)
        | Num::TypeValidCols(_)
        | Num::Elements(_)
        | Num::RowBytes(_)
        | Num::ColBytes(_)
        | Num::ValidRowBytes(_)
        | Num::Bytes(_)
        | Num::Block(_)
        | Num::BoxCols(_) => format!("{} {}", value(n), Quantity(n, names)),
        _ => format!("{} ({})", Quantity(n, names), value(n)),
    }
}

/// As [`spelled`], with an article where the number comes first.
fn the(n: &Num, s: &Site<'_>, names: Namer) -> String {
    let text = spelled(n, s, names);
    let counted = text.starts_with(|c: char| c.is_ascii_digit()) && !matches!(n, Num::Const(_));
    if counted { format!("the {text}") } else { text }
}

fn terms(a: &Num, b: &Num, s: &Site<'_>, names: Namer) -> String {
    let term = |n: &Num| match n {
        Num::Sum(x, y) => terms(x, y, s, names),
        other => spelled(other, s, names),
    };
    format!("{} + {}", term(a), term(b))
}

/// The operands of a list check that break it.
fn wrong(check: &Check, opds: &[Opd], s: &Site<'_>) -> Opds {
    let breaks = |o: Opd| match check {
        Check::Loc(_, locs) => s.tile(o).is_some_and(|t| !locs.contains(&t.loc)),
        Check::Layout(_, ls) => s.layout(o).is_some_and(|l| !ls.contains(&l)),
        _ => false,
    };
    opds.iter().copied().filter(|&o| breaks(o)).collect()
}

fn each_wrong(check: &Check, opds: &[Opd], s: &Site<'_>, text: impl Fn(Opd) -> String) -> String {
    list(wrong(check, opds, s).into_iter().map(text), "and")
}

fn loc(o: Opd, s: &Site<'_>) -> &'static str {
    s.tile(o).map_or("?", |t| t.loc.name())
}

fn shape(o: Opd, s: &Site<'_>) -> String {
    s.tile(o).map_or("?".to_owned(), |t| format!("{}x{}", t.rows, t.cols))
}

fn valid(o: Opd, s: &Site<'_>) -> String {
    match (s.valid_rows(o), s.valid_cols(o)) {
        (Some(r), Some(c)) => format!("{r}x{c}"),
        (None, Some(c)) => format!("dynamic rows by {c}"),
        (Some(r), None) => format!("{r} by dynamic columns"),
        (None, None) => "dynamic".to_owned(),
    }
}

/// The valid sizes that the type of a tile fixes.
fn fixed(o: Opd, s: &Site<'_>) -> String {
    let Some(t) = s.tile(o) else { return "a valid size".to_owned() };
    let rows = t.valid_rows.map(|n| format!("the valid rows at {n}"));
    let cols = t.valid_cols.map(|n| format!("the valid columns at {n}"));
    list(rows.into_iter().chain(cols), "and")
}

/// What is wrong, with the numbers.
fn message(check: &Check, s: &Site<'_>, names: Namer) -> String {
    let opd = |o: &Opd| names.opd(*o);
    let value = |n: &Num| number(n, s).map_or("?".to_owned(), |v| v.to_string());
    let q = |n| Quantity(n, names);
    let dtype = |o: &Opd| s.dtype(*o).map_or("?", |d| d.name());
    let layout = |o: &Opd| s.layout(*o).map_or("?", Layout::name);
    match check {
        Check::SameDtype(os) => {
            let known: Vec<&Opd> = os.iter().filter(|o| s.dtype(**o).is_some()).collect();
            let types: Vec<String> = known.iter().map(|o| format!("{} {}", opd(o), dtype(o))).collect();
            format!(
                "{} must have the same element type ({})",
                list(known.iter().map(|o| opd(o)), "and"),
                types.join(", ")
            )
        }
        Check::Dtype(o, ds) => {
            format!("{} cannot be {} on {}, only {}", opd(o), dtype(o), s.arch(), list(ds.iter(), "or"))
        }
        Check::SameDtypeSize(a, b) => {
            format!("the elements of {} ({}) and {} ({}) must have the same size", opd(a), dtype(a), opd(b), dtype(b))
        }
        Check::DtypeSize(o, sizes) => format!(
            "{} is {} with {} bytes an element; it must be {}",
            opd(o),
            dtype(o),
            s.dtype(*o).map_or(0, |d| d.bytes()),
            list(sizes.iter(), "or")
        ),
        Check::DtypePair(a, b, pairs) => {
            let from = s.dtype(*a);
            let to: Vec<&str> = pairs.iter().filter(|(x, _)| Some(*x) == from).map(|(_, y)| y.name()).collect();
            let allowed = if to.is_empty() {
                let mut sources: Vec<&str> = pairs.iter().map(|(x, _)| x.name()).collect();
                sources.dedup();
                format!("{} must be {}", opd(a), list(sources, "or"))
            } else {
                format!("with {} {} it takes {} as {}", opd(a), dtype(a), list(to, "or"), opd(b))
            };
            if names.is_dest(*b) {
                format!("no conversion of {} to {} on {} here: {allowed}", dtype(a), dtype(b), s.arch())
            } else {
                format!("no {} {} with {} {} on {}: {allowed}", opd(a), dtype(a), opd(b), dtype(b), s.arch())
            }
        }
        Check::Loc(os, locs) => each_wrong(check, os, s, |o| {
            format!("{} is in {}, but must be in {}", opd(&o), loc(o, s), list(locs.iter(), "or"))
        }),
        Check::SameLoc(a, b) => {
            format!("{} is in {} and {} in {}; they must be in one location", opd(a), loc(*a, s), opd(b), loc(*b, s))
        }
        Check::SameBoxing(a, b) => {
            format!("{} is {} and {} is {}; both or neither must be boxed", opd(a), layout(a), opd(b), layout(b))
        }
        Check::DynamicValid(o) => format!("the type of {} fixes {}", opd(o), fixed(*o, s)),
        Check::Layout(os, ls) => each_wrong(check, os, s, |o| {
            format!("{} is {}, but must be {}", opd(&o), layout(&o), list(ls.iter(), "or"))
        }),
        Check::SameLayout(a, b) => format!(
            "{} and {} must have the same layout ({} {}, {} {})",
            opd(a),
            opd(b),
            opd(a),
            layout(a),
            opd(b),
            layout(b)
        ),
        Check::LayoutPair(a, b, pairs) => format!(
            "no way from {} {} to {} {} on {}, only {}",
            opd(a),
            layout(a),
            opd(b),
            layout(b),
            s.arch(),
            list(pairs.iter().map(|(x, y)| format!("{x} to {y}")), "or")
        ),
        Check::Fractal(o, ns) => format!(
            "{} has fractal size {}, but must have {}",
            opd(o),
            s.tile(*o).map_or(0, |t| t.fractal),
            list(ns.iter(), "or")
        ),
        Check::Compact(o, _) => format!("{} is packed in a way that is not allowed here", opd(o)),
        Check::Pad(o, words) => match s.tile(*o).map(|t| pad_word(t.pad)) {
            Some("null") => format!("{} has pad null, so there is no value to fill with", opd(o)),
            other => {
                format!("the pad of {} is {}, but must be {}", opd(o), other.unwrap_or("?"), list(words.iter(), "or"))
            }
        },
        Check::SameShape(a, b) => format!(
            "{} and {} must have the same static shape ({} {}, {} {})",
            opd(a),
            opd(b),
            opd(a),
            shape(*a, s),
            opd(b),
            shape(*b, s)
        ),
        Check::FitsIn(a, b) => {
            format!("{} ({}) is larger than {} ({})", opd(a), shape(*a, s), opd(b), shape(*b, s))
        }
        Check::SameValid(a, b) => format!(
            "{} and {} must have the same valid size ({} {}, {} {})",
            opd(a),
            opd(b),
            opd(a),
            valid(*a, s),
            opd(b),
            valid(*b, s)
        ),
        Check::SameShapeType(a, b) => {
            let differ = s
                .tile(*a)
                .zip(s.tile(*b))
                .map(|(x, y)| ptoc_dialect::types::differences(x, y).join(", "))
                .unwrap_or_default();
            format!("{} and {} must have one tile type; they differ in {differ}", opd(a), opd(b))
        }
        Check::Eq(a, b) => equal(a, b, s, names),
        Check::Ne(a, b) => format!("{} must not be {}", spelled(a, s, names), q(b)),
        Check::Le(Num::Const(c), b @ Num::Value(_)) => format!("{} is {}; it must be at least {c}", q(b), value(b)),
        Check::Le(Num::Const(c), b) => format!("{}, less than {c}", the(b, s, names)),
        Check::Le(a, b) => format!("{}, more than {}", spelled(a, s, names), the(b, s, names)),
        Check::Lt(Num::Const(0), b) => format!("{} is {}; it must be greater than 0", q(b), value(b)),
        Check::Lt(a, b) => format!("{} is not below {}", spelled(a, s, names), the(b, s, names)),
        Check::Multiple(a, b) => format!("{} is {}, not a multiple of {}", q(a), value(a), the(b, s, names)),
        Check::Between(a, low, high) => format!("{} is {}, outside {low} to {high}", q(a), value(a)),
        Check::SameStorage(a, b) => format!("{} and {} must be the same storage", opd(a), opd(b)),
        Check::Disjoint(a, b) => format!("{} and {} must not share storage", opd(a), opd(b)),
        Check::Fills(a, b) => {
            format!("{} valid region equals {} valid region; nothing is padded ({})", opd(b), opd(a), valid(*a, s))
        }
        Check::Present(o) => format!("{} is missing", opd(o)),
        Check::Absent(o) => format!("{} is not allowed here", opd(o)),
        Check::IsTile(o) => format!("{} must be a tile", opd(o)),
        Check::Attr(a, words) => {
            format!("{} is {}, but must be {}", names.attr(*a), s.word(*a).unwrap_or("?"), list(words.iter(), "or"))
        }
        Check::HasAttr(a) => format!("{} is missing", names.attr(*a)),
        Check::NoAttr(a) => format!("{} is not allowed here", names.attr(*a)),
        Check::All(_) | Check::Any(_) | Check::Not(_) => {
            format!("this must hold: {}", super::text::Words(check, names))
        }
    }
}

/// Two numbers that must be equal; the short form when they are the same quantity of two operands.
fn equal(a: &Num, b: &Num, s: &Site<'_>, names: Namer) -> String {
    let value = |n: &Num| number(n, s).map_or("?".to_owned(), |v| v.to_string());
    let same = match (a, b) {
        (Num::Rows(x), Num::Rows(y)) => Some(("rows", x, y)),
        (Num::Cols(x), Num::Cols(y)) => Some(("columns", x, y)),
        (Num::ValidRows(x), Num::ValidRows(y)) => Some(("valid rows", x, y)),
        (Num::ValidCols(x), Num::ValidCols(y)) => Some(("valid columns", x, y)),
        _ => None,
    };
    match same {
        Some((what, x, y)) => {
            format!("the {what} of {} ({}) and {} ({}) must be equal", names.opd(*x), value(a), names.opd(*y), value(b))
        }
        None => match b {
            Num::Const(c) => format!("{} must be {c}, here {}", Quantity(a, names), value(a)),
            _ => format!("{} ({}) must equal {} ({})", Quantity(a, names), value(a), Quantity(b, names), value(b)),
        },
    }
}

/// What a label says about one operand.
fn fact(check: &Check, o: Opd, s: &Site<'_>, names: Namer) -> String {
    let name = names.opd(o);
    let tile = s.tile(o);
    match check {
        Check::SameDtype(_)
        | Check::Dtype(..)
        | Check::DtypeSize(..)
        | Check::SameDtypeSize(..)
        | Check::DtypePair(..) => format!("{name}: {}", s.dtype(o).map_or("?", |d| d.name())),
        Check::Loc(..) | Check::SameLoc(..) => format!("{name}: {}", loc(o, s)),
        Check::Layout(..) | Check::SameLayout(..) | Check::LayoutPair(..) | Check::SameBoxing(..) => {
            format!("{name}: {}", s.layout(o).map_or("?", Layout::name))
        }
        Check::SameShape(..) | Check::FitsIn(..) => format!("{name}: {}", shape(o, s)),
        Check::SameValid(..) => format!("{name}: {} valid", valid(o, s)),
        Check::Pad(..) => format!("{name}: pad {}", tile.map_or("?", |t| pad_word(t.pad))),
        Check::Fractal(..) => format!("{name}: fractal {}", tile.map_or(0, |t| t.fractal)),
        Check::Eq(a, b) | Check::Ne(a, b) | Check::Le(a, b) | Check::Lt(a, b) | Check::Multiple(a, b) => {
            quantities([a, b].into_iter(), o, s, names)
        }
        Check::Between(a, ..) => quantities([a].into_iter(), o, s, names),
        _ => name.to_owned(),
    }
}

/// The quantities of one operand in some numbers: `16 valid rows of src`.
fn quantities<'n>(numbers: impl Iterator<Item = &'n Num>, o: Opd, s: &Site<'_>, names: Namer) -> String {
    let mut found: Vec<String> = Vec::new();
    for n in numbers {
        leaves(n, &mut |leaf| {
            let mut opds = Opds::new();
            self::numbers(leaf, &mut opds);
            if opds.contains(&o) {
                let text = spelled(leaf, s, names);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        });
    }
    if found.is_empty() { names.opd(o).to_owned() } else { found.join(", ") }
}

fn leaves(n: &Num, visit: &mut dyn FnMut(&Num)) {
    match n {
        Num::Sum(a, b) | Num::Product(a, b) | Num::CeilDiv(a, b) | Num::Max(a, b) => {
            leaves(a, visit);
            leaves(b, visit);
        }
        Num::Times(a, _) | Num::RoundUp(a, _) | Num::RoundUpBytes(a, ..) => leaves(a, visit),
        leaf => visit(leaf),
    }
}

/// The usual repair of a kind of check.
fn repair(check: &Check, s: &Site<'_>, names: Namer) -> String {
    let opd = |o: &Opd| names.opd(*o);
    match check {
        Check::SameDtype(_) => "convert one of them with `tcvt` first, or change its type".into(),
        Check::Dtype(o, ds) => {
            format!("on {} make {} {}; `tcvt` converts", s.arch(), opd(o), list(ds.iter(), "or"))
        }
        Check::DtypePair(a, b, pairs) => {
            let from = s.dtype(*a);
            let to: Vec<&str> = pairs.iter().filter(|(x, _)| Some(*x) == from).map(|(_, y)| y.name()).collect();
            if to.is_empty() {
                format!("change the element type of {}", opd(a))
            } else {
                format!("on {} make {} {}", s.arch(), opd(b), list(to, "or"))
            }
        }
        Check::SameDtypeSize(..) | Check::DtypeSize(..) => "change the element type".into(),
        Check::Loc(os, locs) => format!(
            "move {} to {} with `tmov` or `textract` first",
            list(wrong(check, os, s).iter().map(opd), "and"),
            list(locs.iter(), "or")
        ),
        Check::Layout(os, ls) => format!(
            "give {} a type with {}",
            list(wrong(check, os, s).iter().map(opd), "and"),
            list(ls.iter().map(|l| l.spelled()), "or with")
        ),
        Check::SameLoc(..) => "give both one location".into(),
        Check::DynamicValid(_) => "write `?` for both valid sizes in the type".into(),
        Check::SameLayout(..) | Check::LayoutPair(..) | Check::SameBoxing(..) => {
            "change the layout of one of them with `tmov`, `ttrans` or `treshape`".into()
        }
        Check::Fractal(o, ns) => format!("set fractal={} in the type of {}", list(ns.iter(), "or"), opd(o)),
        Check::Pad(o, _) => {
            format!("set `pad` in the type of {}: 0 is null, 1 zero, 2 the largest value, 3 the smallest", opd(o))
        }
        Check::SameValid(..)
        | Check::Eq(Num::ValidRows(_) | Num::ValidCols(_), Num::ValidRows(_) | Num::ValidCols(_)) => {
            "make the valid sizes agree, in the types or with `set_validshape`".into()
        }
        Check::Disjoint(a, b) => format!("use another tile for {} or {}", opd(a), opd(b)),
        Check::SameStorage(a, b) => format!("pass the same tile as {} and {}", opd(a), opd(b)),
        Check::Absent(o) => format!("drop {}", opd(o)),
        Check::Fills(_, b) => format!("give {} another valid size", opd(b)),
        Check::Present(o) => format!("pass {}", opd(o)),
        Check::NoAttr(a) => format!("drop {}", names.attr(*a)),
        Check::Eq(a, Num::Const(c)) => format!("make {} {c}", Quantity(a, names)),
        Check::Eq(a, b) => format!("make {} equal to {}", Quantity(a, names), Quantity(b, names)),
        Check::Ne(a, b) => format!("make {} other than {}", Quantity(a, names), Quantity(b, names)),
        Check::Le(a, b) | Check::Lt(a, b) => match (a, b) {
            (Num::Const(c), b) if matches!(check, Check::Le(..)) => format!("make {} at least {c}", Quantity(b, names)),
            (Num::Const(c), b) => format!("make {} greater than {c}", Quantity(b, names)),
            (a, Num::Const(_)) => format!("make {} smaller", Quantity(a, names)),
            (a, b) => format!("make {} smaller, or {} larger", Quantity(a, names), Quantity(b, names)),
        },
        Check::Multiple(a, b) => match (number(a, s), number(b, s)) {
            (Some(v), Some(k)) if k > 0 && v > 0 => {
                let below = v / k * k;
                let above = below.saturating_add(k);
                let near = if below > 0 { format!("{below} or {above}") } else { above.to_string() };
                format!("make {} {near}", Quantity(a, names))
            }
            _ => format!("make {} a multiple of {}", Quantity(a, names), Quantity(b, names)),
        },
        Check::Between(a, low, high) => format!("make {} a number from {low} to {high}", Quantity(a, names)),
        Check::Attr(a, words) => format!("set {} to {}", names.attr(*a), list(words.iter(), "or")),
        Check::HasAttr(a) => format!("add {}", names.attr(*a)),
        Check::SameShapeType(a, b) => format!("give {} and {} one type", opd(a), opd(b)),
        Check::FitsIn(a, b) => format!("use a smaller {} or a larger {}", opd(a), opd(b)),
        Check::SameShape(a, b) => format!("give {} and {} one static shape", opd(a), opd(b)),
        Check::Compact(o, _) => format!("change `compact` in the type of {}", opd(o)),
        Check::IsTile(o) => format!("pass a tile as {}", opd(o)),
        Check::All(_) | Check::Any(_) | Check::Not(_) => "make it hold by changing the operands named".into(),
    }
}
