//! Element types, layouts and short constructors that the rule tables share.

use crate::rule::{Attr, Check, Num, OpRules, Opd, Path, Rule};
use ptoc_dialect::Targets;
use ptoc_source::Code;
use ptoc_target::{DType, Layout, Loc};

pub(super) const A2A3: Targets = Targets::A2A3;
pub(super) const A5: Targets = Targets::A5;
pub(super) const BOTH: Targets = Targets::BOTH;

pub(super) const ND: &[Layout] = &[Layout::Nd];
pub(super) const NZ: &[Layout] = &[Layout::Nz];
pub(super) const ZN: &[Layout] = &[Layout::Zn];
pub(super) const DN: &[Layout] = &[Layout::Dn];
pub(super) const ND_DN: &[Layout] = &[Layout::Nd, Layout::Dn];
pub(super) const ND_DN_NZ: &[Layout] = &[Layout::Nd, Layout::Dn, Layout::Nz];

pub(super) const VEC: &[Loc] = &[Loc::Vec];
pub(super) const MAT: &[Loc] = &[Loc::Mat];
pub(super) const ACC: &[Loc] = &[Loc::Acc];
pub(super) const LEFT: &[Loc] = &[Loc::Left];
pub(super) const RIGHT: &[Loc] = &[Loc::Right];
pub(super) const BIAS: &[Loc] = &[Loc::Bias];
pub(super) const SCALING: &[Loc] = &[Loc::Scaling];

pub(super) const SRC: &[Opd] = &[Opd::Src];
pub(super) const DST: &[Opd] = &[Opd::Dst];
pub(super) const SRC_DST: &[Opd] = &[Opd::Src, Opd::Dst];

pub(super) const FP4: &[DType] = &[DType::F4E2M1x2, DType::F4E1M2x2];

/// One instruction with a single way to execute.
pub(super) const fn op(op: &'static str, rules: &'static [&'static [Rule]]) -> OpRules {
    OpRules { op, rules, paths: &[], no_path: "" }
}

/// One instruction with several ways to execute.
pub(super) const fn op_paths(
    op: &'static str,
    no_path: Code,
    rules: &'static [&'static [Rule]],
    paths: &'static [Path],
) -> OpRules {
    OpRules { op, rules, paths, no_path }
}

/// One way.
pub(super) const fn path(
    name: &'static str,
    targets: Targets,
    when: &'static [Check],
    rules: &'static [&'static [Rule]],
) -> Path {
    Path { name, targets, when, rules }
}

/// A rule.
pub(super) const fn rule(code: Code, check: Check) -> Rule {
    Rule::new(code, check)
}

/// A destination on the unit flag: `stPhase` is not written, or is unspecified.
pub(super) const NO_PHASE: Check = Check::Attr(Attr::StPhase, &["unspecified"]);

pub(super) const ZERO: Num = Num::Const(0);
pub(super) const ONE: Num = Num::Const(1);

/// Why a destination must not be a source.
pub(super) const READ_AGAIN: &str = "a source is read again after part of the destination is written";
/// Why rows of 64-bit elements are short.
pub(super) const ONE_LOAD: &str = "a row of 64-bit elements is read with one load of 64";
