//! Rules as English sentences, for documentation and for the note of a diagnostic.

use super::{Attr, Check, Num, Opd, Path, Rule};
use ptoc_dialect::{Dir, OpDef};
use ptoc_target::Compact;
use std::fmt::{Display, Formatter, Result};

/// Names operands and attributes the way one instruction does.
#[derive(Clone, Copy)]
pub(crate) struct Namer(pub(crate) &'static OpDef);

impl Namer {
    /// The instruction's name of an operand.
    pub(crate) fn opd(self, o: Opd) -> &'static str {
        let known = o.words().iter().find(|w| self.0.operand_index(w).is_some());
        known.or(o.words().first()).copied().unwrap_or("")
    }

    /// True for an operand that the instruction writes.
    pub(crate) fn is_dest(self, o: Opd) -> bool {
        self.0
            .operand_index(self.opd(o))
            .and_then(|i| self.0.operands.get(i))
            .is_some_and(|d| d.dir != Dir::In && !d.scratch)
    }

    /// The instruction's name of an attribute.
    pub(crate) fn attr(self, a: Attr) -> &'static str {
        let known = a.words().iter().find(|w| self.0.attr(w).is_some());
        known.or(a.words().first()).copied().unwrap_or("")
    }
}

impl Rule {
    /// The rule as one English sentence, with the operand names of that instruction: `src and dst have the same element type`.
    pub fn sentence(&self, def: &'static OpDef) -> String {
        let names = Namer(def);
        let what = Words(&self.check, names).to_string();
        if self.when.is_empty() { what } else { format!("when {}: {what}", All(self.when, names)) }
    }
}

impl Path {
    /// When the path is taken, as an English clause with the operand names of that instruction.
    pub fn condition(&self, def: &'static OpDef) -> String {
        All(self.when, Namer(def)).to_string()
    }
}

/// The words of a check.
pub(crate) struct Words<'a>(pub(crate) &'a Check, pub(crate) Namer);

struct All<'a>(&'a [Check], Namer);

/// The words of a number.
pub(crate) struct Quantity<'a>(pub(crate) &'a Num, pub(crate) Namer);

/// `a, b and c`.
pub(crate) fn list<T: Display>(items: impl IntoIterator<Item = T>, last: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|i| i.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((one, [])) => one.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

fn compact_word(c: Compact) -> &'static str {
    match c {
        Compact::Null => "plain (compact=0)",
        Compact::Normal => "compact (compact=1)",
        Compact::RowPlusOne => "compact with one more row (compact=2)",
    }
}

/// `src and dst are`
fn are(opds: &[Opd], n: Namer) -> String {
    let verb = if opds.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", list(opds.iter().map(|o| n.opd(*o)), "and"))
}

impl Display for All<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&list(self.0.iter().map(|c| Words(c, self.1)), "and"))
    }
}

impl Display for Words<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let n = self.1;
        let opd = |o: &Opd| n.opd(*o);
        let q = |x| Quantity(x, n);
        match self.0 {
            Check::SameDtype(os) => write!(f, "{} have the same element type", list(os.iter().map(opd), "and")),
            Check::Dtype(o, ds) => write!(f, "the element type of {} is {}", opd(o), list(ds.iter(), "or")),
            Check::SameDtypeSize(a, b) => write!(f, "the elements of {} and {} have the same size", opd(a), opd(b)),
            Check::DtypeSize(o, sizes) => write!(f, "an element of {} has {} bytes", opd(o), list(sizes.iter(), "or")),
            Check::DtypePair(a, b, pairs) => {
                write!(f, "the element types of {} and {} are one of ", opd(a), opd(b))?;
                let between = if n.is_dest(*b) { "to" } else { "with" };
                f.write_str(&pairs.iter().map(|(x, y)| format!("{x} {between} {y}")).collect::<Vec<_>>().join(", "))
            }
            Check::Loc(os, locs) => write!(f, "{} in {}", are(os, n), list(locs.iter(), "or")),
            Check::SameLoc(a, b) => write!(f, "{} and {} are in one location", opd(a), opd(b)),
            Check::SameBoxing(a, b) => write!(f, "{} and {} are both boxed or both unboxed", opd(a), opd(b)),
            Check::DynamicValid(o) => write!(f, "the valid sizes of {} are `?` in its type", opd(o)),
            Check::Layout(os, ls) => write!(f, "{} {}", are(os, n), list(ls.iter(), "or")),
            Check::SameLayout(a, b) => write!(f, "{} and {} have the same layout", opd(a), opd(b)),
            Check::LayoutPair(a, b, pairs) => {
                write!(f, "the layouts of {} and {} are one of ", opd(a), opd(b))?;
                f.write_str(&pairs.iter().map(|(x, y)| format!("{x} to {y}")).collect::<Vec<_>>().join(", "))
            }
            Check::Fractal(o, ns) => write!(f, "the fractal size of {} is {}", opd(o), list(ns.iter(), "or")),
            Check::Compact(o, cs) => {
                write!(f, "{} is {}", opd(o), list(cs.iter().map(|c| compact_word(*c)), "or"))
            }
            Check::Pad(o, words) => write!(f, "the pad of {} is {}", opd(o), list(words.iter(), "or")),
            Check::SameShape(a, b) => write!(f, "{} and {} have the same rows and columns", opd(a), opd(b)),
            Check::FitsIn(a, b) => write!(f, "{} has at most the rows and columns of {}", opd(a), opd(b)),
            Check::SameValid(a, b) => write!(f, "{} and {} have the same valid rows and columns", opd(a), opd(b)),
            Check::SameShapeType(a, b) => {
                write!(f, "{} and {} are one tile type (valid sizes, pad and compact mode aside)", opd(a), opd(b))
            }
            Check::Eq(a, b) => write!(f, "{} = {}", q(a), q(b)),
            Check::Ne(a, b) => write!(f, "{} is not {}", q(a), q(b)),
            Check::Le(a, b) => write!(f, "{} <= {}", q(a), q(b)),
            Check::Lt(a, b) => write!(f, "{} < {}", q(a), q(b)),
            Check::Multiple(a, b) => write!(f, "{} is a multiple of {}", q(a), q(b)),
            Check::Between(a, low, high) => write!(f, "{} is {low} to {high}", q(a)),
            Check::SameStorage(a, b) => write!(f, "{} and {} are the same storage", opd(a), opd(b)),
            Check::Disjoint(a, b) => write!(f, "{} and {} share no storage", opd(a), opd(b)),
            Check::Fills(a, b) => write!(f, "{} is other storage than {}, or has another valid size", opd(b), opd(a)),
            Check::Present(o) => write!(f, "{} is given", opd(o)),
            Check::Absent(o) => write!(f, "{} is not given", opd(o)),
            Check::IsTile(o) => write!(f, "{} is a tile", opd(o)),
            Check::Attr(a, words) => write!(f, "{} is {}", n.attr(*a), list(words.iter(), "or")),
            Check::HasAttr(a) => write!(f, "{} is given", n.attr(*a)),
            Check::NoAttr(a) => write!(f, "{} is not given", n.attr(*a)),
            Check::All(cs) => All(cs, n).fmt(f),
            Check::Any(cs) => f.write_str(&list(cs.iter().map(|c| Words(c, n)), "or")),
            Check::Not(c) => write!(f, "not ({})", Words(c, n)),
        }
    }
}

impl Display for Quantity<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let n = self.1;
        let opd = |o: &Opd| n.opd(*o);
        let q = |x| Quantity(x, n);
        match self.0 {
            Num::Const(c) => write!(f, "{c}"),
            Num::Rows(o) => write!(f, "rows of {}", opd(o)),
            Num::Cols(o) => write!(f, "columns of {}", opd(o)),
            Num::ValidRows(o) => write!(f, "valid rows of {}", opd(o)),
            Num::ValidCols(o) => write!(f, "valid columns of {}", opd(o)),
            Num::TypeValidCols(o) => write!(f, "valid columns in the type of {}", opd(o)),
            Num::Elements(o) => write!(f, "elements of {}", opd(o)),
            Num::RowBytes(o) => write!(f, "bytes a row of {}", opd(o)),
            Num::ColBytes(o) => write!(f, "bytes a column of {}", opd(o)),
            Num::ValidRowBytes(o) => write!(f, "bytes a valid row of {}", opd(o)),
            Num::Bytes(o) => write!(f, "bytes of {}", opd(o)),
            Num::PitchBytes(o) => write!(f, "pitch of {} in bytes", opd(o)),
            Num::Block(o) => write!(f, "elements of {} in 32 bytes", opd(o)),
            Num::BoxCols(o) => write!(f, "columns of a box of {}", opd(o)),
            Num::Value(o) => write!(f, "{}", opd(o)),
            Num::ValueBytes(o, t) => write!(f, "{} in bytes of {}", opd(o), opd(t)),
            Num::Address(o) => write!(f, "address of {}", opd(o)),
            Num::Dim(o, d) => write!(f, "dimension g{} of {}", 4 - (*d).min(4), opd(o)),
            Num::DimBytes(o, d, _) => write!(f, "bytes of dimension g{} of {}", 4 - (*d).min(4), opd(o)),
            Num::DimsFrom(o, d) => write!(f, "product of dimensions g0 to g{} of {}", 4 - (*d).min(4), opd(o)),
            Num::Sum(a, b) => write!(f, "{} + {}", q(a), q(b)),
            Num::Product(a, b) => write!(f, "{} * {}", q(a), q(b)),
            Num::Times(a, k) => write!(f, "{k} * {}", q(a)),
            Num::RoundUp(a, k) => write!(f, "{} rounded up to {k}", q(a)),
            Num::RoundUpBytes(a, _, n) => write!(f, "{} rounded up to runs of {n} bytes", q(a)),
            Num::CeilDiv(a, b) => write!(f, "{} / {}, rounded up", q(a), q(b)),
            Num::Max(a, b) => write!(f, "the greater of {} and {}", q(a), q(b)),
        }
    }
}
