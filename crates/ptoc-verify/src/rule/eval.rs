//! Whether a check holds for one operation.

use super::{Check, Num, Opd};
use crate::site::Site;
use ptoc_dialect::types::TileType;
use ptoc_target::PadValue;

/// The answer to a check. What the program fixes only at run time is [`Truth::Unknown`], and no error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    Yes,
    No,
    Unknown,
}

impl From<bool> for Truth {
    fn from(b: bool) -> Truth {
        if b { Truth::Yes } else { Truth::No }
    }
}

impl Truth {
    fn of(value: Option<bool>) -> Truth {
        value.map_or(Truth::Unknown, Truth::from)
    }
}

/// True when every condition certainly holds.
pub(crate) fn applies(when: &[Check], s: &Site<'_>) -> bool {
    when.iter().all(|c| holds(c, s) == Truth::Yes)
}

/// The word of a pad, as [`Check::Pad`] lists them.
pub(crate) fn pad_word(pad: PadValue) -> &'static str {
    match pad {
        PadValue::Null => "null",
        PadValue::Zero => "zero",
        PadValue::Max => "max",
        PadValue::Min => "min",
        PadValue::Custom(_) => "custom",
    }
}

fn each(opds: &[Opd], holds: impl Fn(Opd) -> Option<bool>) -> Truth {
    let mut known = Truth::Yes;
    for &o in opds {
        match holds(o) {
            Some(false) => return Truth::No,
            Some(true) => {}
            None => known = Truth::Unknown,
        }
    }
    known
}

fn tiles<'a>(s: &Site<'a>, a: Opd, b: Opd) -> Option<(&'a TileType, &'a TileType)> {
    s.tile(a).zip(s.tile(b))
}

/// Evaluates a check.
pub(crate) fn holds(check: &Check, s: &Site<'_>) -> Truth {
    let num = |n: &Num| number(n, s);
    match *check {
        Check::SameDtype(os) => {
            let mut types = os.iter().filter_map(|&o| s.dtype(o));
            let Some(first) = types.next() else { return Truth::Unknown };
            types.all(|t| t == first).into()
        }
        Check::Dtype(o, list) => Truth::of(s.dtype(o).map(|d| list.contains(&d))),
        Check::SameDtypeSize(a, b) => Truth::of(s.dtype(a).zip(s.dtype(b)).map(|(x, y)| x.bytes() == y.bytes())),
        Check::DtypeSize(o, sizes) => Truth::of(s.dtype(o).map(|d| sizes.contains(&d.bytes()))),
        Check::DtypePair(a, b, pairs) => Truth::of(s.dtype(a).zip(s.dtype(b)).map(|pair| pairs.contains(&pair))),
        Check::Loc(os, list) => each(os, |o| s.tile(o).map(|t| list.contains(&t.loc))),
        Check::SameLoc(a, b) => Truth::of(tiles(s, a, b).map(|(x, y)| x.loc == y.loc)),
        Check::SameBoxing(a, b) => {
            Truth::of(tiles(s, a, b).map(|(x, y)| x.layout().is_boxed() == y.layout().is_boxed()))
        }
        Check::DynamicValid(o) => Truth::of(s.tile(o).map(|t| t.valid_rows.is_none() && t.valid_cols.is_none())),
        Check::Layout(os, list) => each(os, |o| s.layout(o).map(|l| list.contains(&l))),
        Check::SameLayout(a, b) => Truth::of(tiles(s, a, b).map(|(x, y)| x.layout() == y.layout())),
        Check::LayoutPair(a, b, pairs) => Truth::of(s.layout(a).zip(s.layout(b)).map(|pair| pairs.contains(&pair))),
        Check::Fractal(o, list) => Truth::of(s.tile(o).map(|t| list.contains(&t.fractal))),
        Check::Compact(o, list) => Truth::of(s.tile(o).map(|t| list.contains(&t.compact))),
        Check::Pad(o, words) => Truth::of(s.tile(o).map(|t| words.contains(&pad_word(t.pad)))),
        Check::SameShape(a, b) => Truth::of(tiles(s, a, b).map(|(x, y)| (x.rows, x.cols) == (y.rows, y.cols))),
        Check::FitsIn(a, b) => Truth::of(tiles(s, a, b).map(|(x, y)| x.rows <= y.rows && x.cols <= y.cols)),
        Check::SameValid(a, b) => {
            let same = |x: Option<i64>, y: Option<i64>| Truth::of(x.zip(y).map(|(x, y)| x == y));
            match (same(s.valid_rows(a), s.valid_rows(b)), same(s.valid_cols(a), s.valid_cols(b))) {
                (Truth::No, _) | (_, Truth::No) => Truth::No,
                (Truth::Yes, Truth::Yes) => Truth::Yes,
                _ => Truth::Unknown,
            }
        }
        Check::SameShapeType(a, b) => {
            Truth::of(tiles(s, a, b).map(|(x, y)| (x.loc, x.dtype, x.shape()) == (y.loc, y.dtype, y.shape())))
        }
        Check::Eq(a, b) => Truth::of(num(&a).zip(num(&b)).map(|(x, y)| x == y)),
        Check::Ne(a, b) => Truth::of(num(&a).zip(num(&b)).map(|(x, y)| x != y)),
        Check::Le(a, b) => Truth::of(num(&a).zip(num(&b)).map(|(x, y)| x <= y)),
        Check::Lt(a, b) => Truth::of(num(&a).zip(num(&b)).map(|(x, y)| x < y)),
        Check::Multiple(a, b) => Truth::of(num(&a).zip(num(&b)).and_then(|(x, y)| x.checked_rem(y)).map(|r| r == 0)),
        Check::Between(n, low, high) => Truth::of(num(&n).map(|x| (low..=high).contains(&x))),
        Check::SameStorage(a, b) => s.same_storage(a, b),
        Check::Disjoint(a, b) => match s.same_storage(a, b) {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        },
        Check::Fills(a, b) => match (s.same_storage(a, b), holds(&Check::SameValid(a, b), s)) {
            (Truth::Yes, Truth::Yes) => Truth::No,
            (Truth::No, _) | (_, Truth::No) => Truth::Yes,
            _ => Truth::Unknown,
        },
        Check::Present(o) => s.value(o).is_some().into(),
        Check::Absent(o) => s.value(o).is_none().into(),
        Check::IsTile(o) => s.tile(o).is_some().into(),
        Check::Attr(a, words) => Truth::of(s.word(a).map(|w| words.contains(&w))),
        Check::HasAttr(a) => s.has_attr(a).into(),
        Check::NoAttr(a) => (!s.has_attr(a)).into(),
        Check::All(cs) => all(cs, s),
        Check::Any(cs) => {
            let mut known = Truth::No;
            for c in cs {
                match holds(c, s) {
                    Truth::Yes => return Truth::Yes,
                    Truth::Unknown => known = Truth::Unknown,
                    Truth::No => {}
                }
            }
            known
        }
        Check::Not(c) => match holds(c, s) {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        },
    }
}

fn all(cs: &[Check], s: &Site<'_>) -> Truth {
    let mut known = Truth::Yes;
    for c in cs {
        match holds(c, s) {
            Truth::No => return Truth::No,
            Truth::Unknown => known = Truth::Unknown,
            Truth::Yes => {}
        }
    }
    known
}

/// Evaluates a number; `None` when only the run knows it, when the operand is absent, or on overflow.
pub(crate) fn number(n: &Num, s: &Site<'_>) -> Option<i64> {
    let int = |v: u64| i64::try_from(v).ok();
    let tile = |o: Opd| s.tile(o);
    let bytes = |count: u64, t: &TileType| int(count)?.checked_mul(int(t.dtype.bytes())?);
    match *n {
        Num::Const(c) => Some(c),
        Num::Rows(o) => int(tile(o)?.rows),
        Num::Cols(o) => int(tile(o)?.cols),
        Num::ValidRows(o) => s.valid_rows(o),
        Num::ValidCols(o) => s.valid_cols(o),
        Num::TypeValidCols(o) => int(tile(o)?.valid_cols?),
        Num::Elements(o) => tile(o).and_then(|t| int(t.rows)?.checked_mul(int(t.cols)?)),
        Num::RowBytes(o) => tile(o).and_then(|t| bytes(t.cols, t)),
        Num::ColBytes(o) => tile(o).and_then(|t| bytes(t.rows, t)),
        Num::ValidRowBytes(o) => s.valid_cols(o)?.checked_mul(int(s.dtype(o)?.bytes())?),
        Num::Bytes(o) => int(tile(o)?.bytes()?),
        Num::PitchBytes(o) => tile(o).and_then(|t| match t.layout() {
            ptoc_target::Layout::Dn => bytes(t.rows, t),
            _ => bytes(t.cols, t),
        }),
        Num::Block(o) => int(s.dtype(o)?.c0()),
        Num::BoxCols(o) => int(tile(o)?.shape().inner_box().cols),
        Num::Value(o) => s.constant(o),
        Num::ValueBytes(o, t) => s.constant(o)?.checked_mul(int(s.dtype(t)?.bytes())?),
        Num::Address(o) => int(s.address(o)?),
        Num::Dim(o, d) => s.dim(o, d),
        Num::DimBytes(o, d, t) => s.dim(o, d)?.checked_mul(int(s.dtype(t)?.bytes())?),
        Num::DimsFrom(o, d) => (d..5).try_fold(1i64, |product, i| product.checked_mul(s.dim(o, i)?)),
        Num::Sum(a, b) => number(a, s)?.checked_add(number(b, s)?),
        Num::Product(a, b) => number(a, s)?.checked_mul(number(b, s)?),
        Num::Times(a, k) => number(a, s)?.checked_mul(k),
        Num::RoundUp(a, k) => number(a, s)?.checked_add(k - 1)?.checked_div(k)?.checked_mul(k),
        Num::RoundUpBytes(a, o, bytes) => {
            let run = bytes.checked_div(int(s.dtype(o)?.bytes())?)?;
            number(a, s)?.checked_add(run - 1)?.checked_div(run)?.checked_mul(run)
        }
        Num::CeilDiv(a, b) => {
            let (x, y) = (number(a, s)?, number(b, s)?);
            x.checked_add(y.checked_sub(1)?)?.checked_div(y)
        }
        Num::Max(a, b) => Some(number(a, s)?.max(number(b, s)?)),
    }
}
