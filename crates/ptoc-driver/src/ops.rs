//! `ptoc ops`: the instruction table as text and as data.

use ptoc_dialect::table::{
    self, Arity, AttrDef, AttrTy, Dir, Family, Kind, OpDef, OperandDef, PipeOf, ResultDef, Targets,
};
use ptoc_lower::has_lowering;
use ptoc_target::{Arch, DType};
use ptoc_verify::{Check, Rule, has_rules, op_rules, rules_for};
use serde::Serialize;
use std::fmt::Write;

/// Which operations to list; an absent field lets all through.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpFilter {
    /// Only those of a target.
    pub arch: Option<Arch>,
    /// Only those of a group.
    pub family: Option<Family>,
    /// Only those whose rules name the element type for some operand.
    pub dtype: Option<DType>,
}

impl OpFilter {
    /// The operations, in the order of the table.
    pub fn select(self) -> impl Iterator<Item = &'static OpDef> {
        table::all().filter(move |op| self.lets_through(op))
    }

    fn lets_through(self, op: &OpDef) -> bool {
        let mut archs = Arch::ALL.into_iter().filter(|&a| op.targets.has(a) && self.arch.is_none_or(|only| only == a));
        let takes = |dtype, arch| rules_for(op.name, arch).any(|r| names_dtype(&r.check, dtype));
        self.arch.is_none_or(|a| op.targets.has(a))
            && self.family.is_none_or(|f| op.family == f)
            && self.dtype.is_none_or(|d| archs.any(|a| takes(d, a)))
    }
}

/// True when a check allows an operand the element type by name.
fn names_dtype(check: &Check, dtype: DType) -> bool {
    match check {
        Check::Dtype(_, list) => list.contains(&dtype),
        Check::DtypePair(_, _, pairs) => pairs.iter().any(|&(a, b)| a == dtype || b == dtype),
        Check::All(checks) | Check::Any(checks) => checks.iter().any(|c| names_dtype(c, dtype)),
        _ => false,
    }
}

/// One line an operation: name, group, targets, targets with a lowering, pipe, whether legality has rules, summary.
pub fn ops_text(filter: OpFilter) -> String {
    let mut out = String::new();
    let name = filter.select().map(|op| op.name.len()).max().unwrap_or(0);
    for op in filter.select() {
        let targets = targets(op).join(",");
        let lowered = if is_source(op) { lowered(op).join(",") } else { String::new() };
        let rules = if has_rules(op.name) { "rules" } else { "no rules" };
        let (pipe, family) = (pipe(op).unwrap_or("-"), family_name(op.family));
        let lowered = if lowered.is_empty() { "-" } else { &lowered };
        let _ = writeln!(
            out,
            "{:name$}  {family:16}  {targets:7}  {lowered:7}  {pipe:11}  {rules:8}  {}",
            op.name, op.summary
        );
    }
    out
}

/// False for an intrinsic, which is what others are lowered to.
fn is_source(op: &OpDef) -> bool {
    !matches!(
        op.family,
        Family::MicroConfig
            | Family::MicroDma
            | Family::MicroCube
            | Family::MicroPredicate
            | Family::MicroVector
            | Family::MicroSimt
            | Family::Ub
    )
}

fn lowered(op: &OpDef) -> Vec<&'static str> {
    Arch::ALL.into_iter().filter(|&a| has_lowering(op.name, a)).map(Arch::name).collect()
}

/// An operation as data.
#[derive(Debug, Serialize)]
pub struct OpEntry {
    name: &'static str,
    summary: &'static str,
    family: &'static str,
    targets: Vec<&'static str>,
    /// Targets that it can be lowered to, for some types and layouts at least.
    lowered: Vec<&'static str>,
    /// Legality is checked by rules, beyond the structure of every operation.
    rules: bool,
    /// `null` when it makes no machine work.
    pipe: Option<&'static str>,
    operands: Vec<OperandEntry>,
    results: Vec<ResultEntry>,
    attributes: Vec<AttrEntry>,
    /// The custom text form in the format language of the tables; empty when there is only the generic form.
    text: &'static str,
}

#[derive(Debug, Serialize)]
struct OperandEntry {
    name: &'static str,
    kind: &'static str,
    access: &'static str,
    count: &'static str,
    temporary: bool,
}

#[derive(Debug, Serialize)]
struct ResultEntry {
    name: &'static str,
    kind: &'static str,
    count: &'static str,
}

#[derive(Debug, Serialize)]
struct AttrEntry {
    name: &'static str,
    #[serde(rename = "type")]
    ty: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<&'static str>,
    default: Option<&'static str>,
    required: bool,
}

/// The operations as serialisable entries.
pub fn ops_data(filter: OpFilter) -> Vec<OpEntry> {
    filter.select().map(entry).collect()
}

fn entry(op: &'static OpDef) -> OpEntry {
    let operand = |o: &OperandDef| OperandEntry {
        name: o.name,
        kind: kind_name(o.kind),
        access: access_name(o.dir),
        count: count_name(o.arity),
        temporary: o.scratch,
    };
    let result = |r: &ResultDef| ResultEntry { name: r.name, kind: kind_name(r.kind), count: count_name(r.arity) };
    let attribute = |a: &AttrDef| AttrEntry {
        name: a.name,
        ty: type_name(a.ty),
        values: values(a.ty),
        default: a.default,
        required: a.required,
    };
    OpEntry {
        name: op.name,
        summary: op.summary,
        family: family_name(op.family),
        targets: targets(op),
        lowered: lowered(op),
        rules: has_rules(op.name),
        pipe: pipe(op),
        operands: op.operands.iter().map(operand).collect(),
        results: op.results.iter().map(result).collect(),
        attributes: op.attrs.iter().map(attribute).collect(),
        text: op.asm,
    }
}

/// What `ptoc explain` says about an operation.
pub(crate) fn page(op: &'static OpDef) -> String {
    let mut out = format!("{}: {}\n\n", op.name, op.summary);
    let _ = writeln!(out, "group    {}", family_name(op.family));
    let _ = writeln!(out, "targets  {}", targets(op).join(", "));
    let lowered = lowered(op);
    if is_source(op) {
        let lowered = if lowered.is_empty() { "no target yet".to_string() } else { lowered.join(", ") };
        let _ = writeln!(out, "lowered  {lowered}");
    }
    let _ = writeln!(out, "pipe     {}", pipe(op).unwrap_or("none: it makes no machine work"));
    section(
        &mut out,
        "operands",
        op.operands.iter().map(|o| {
            let temporary = if o.scratch { ", temporary (the sync form has none)" } else { "" };
            (o.name, format!("{}, {}{}{temporary}", kind_name(o.kind), access_name(o.dir), many(o.arity)))
        }),
    );
    section(
        &mut out,
        "results",
        op.results.iter().map(|r| (r.name, format!("{}{}", kind_name(r.kind), many(r.arity)))),
    );
    section(
        &mut out,
        "attributes",
        op.attrs.iter().map(|a| {
            let values = values(a.ty);
            let which = if values.is_empty() { type_name(a.ty) } else { values.join(" | ") };
            let default = a.default.map_or(String::new(), |d| format!(", {d} when absent"));
            let required = if a.required { ", required" } else { "" };
            (a.name, format!("{which}{default}{required}"))
        }),
    );
    rules(&mut out, op);
    if !op.asm.is_empty() {
        out.push_str("\ntext\n");
        for form in op.asm.split("||") {
            let form = form.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "  {} {form}", op.name);
        }
    }
    out
}

/// What must hold, rule by rule.
fn rules(out: &mut String, op: &'static OpDef) {
    let Some(rules) = op_rules(op.name) else {
        out.push_str("\nrules\n  none yet: only its structure is checked\n");
        return;
    };
    let only = |targets: Targets| {
        let archs: Vec<_> = Arch::ALL.into_iter().filter(|&a| targets.has(a)).map(Arch::name).collect();
        if archs.len() == Arch::ALL.len() { String::new() } else { format!("on {}: ", archs.join(", ")) }
    };
    let mut list = |title: String, groups: &[&[Rule]]| {
        let _ = writeln!(out, "\n{title}");
        for rule in groups.iter().copied().flatten() {
            let _ = writeln!(out, "  {:9}  {}{}", rule.code, only(rule.targets), rule.sentence(op));
        }
    };
    if !rules.rules.is_empty() {
        list("rules".to_string(), rules.rules);
    }
    for path in rules.paths {
        list(format!("{}rules for {}, when {}", only(path.targets), path.name, path.condition(op)), path.rules);
    }
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = (&'static str, String)> + Clone) {
    let width = lines.clone().map(|(name, _)| name.len()).max();
    let Some(width) = width else { return };
    let _ = writeln!(out, "\n{title}");
    for (name, what) in lines {
        let _ = writeln!(out, "  {name:width$}  {what}");
    }
}

fn targets(op: &OpDef) -> Vec<&'static str> {
    Arch::ALL.into_iter().filter(|&a| op.targets.has(a)).map(Arch::name).collect()
}

fn pipe(op: &OpDef) -> Option<&'static str> {
    match op.pipe {
        PipeOf::None => None,
        PipeOf::Fixed(pipe) => Some(pipe.keyword()),
        PipeOf::ByLocation => Some("by location"),
    }
}

fn many(arity: Arity) -> &'static str {
    match arity {
        Arity::One => "",
        Arity::Optional => ", optional",
        Arity::Variadic => ", any number",
    }
}

const fn count_name(arity: Arity) -> &'static str {
    match arity {
        Arity::One => "one",
        Arity::Optional => "optional",
        Arity::Variadic => "any",
    }
}

const fn access_name(dir: Dir) -> &'static str {
    match dir {
        Dir::In => "read",
        Dir::Out => "written",
        Dir::InOut => "read and written",
    }
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Tile => "tile",
        Kind::View => "view",
        Kind::Ptr => "pointer",
        Kind::Scalar => "scalar",
        Kind::Index => "index",
        Kind::VReg => "vector register",
        Kind::Mask => "mask",
        Kind::Any => "any",
    }
}

fn type_name(ty: AttrTy) -> String {
    match ty {
        AttrTy::Enum(e) if e.spaced => format!("#pto<{}>", e.kind),
        AttrTy::Enum(e) => format!("#pto.{}", e.kind),
        AttrTy::OneOf(many) => many.iter().map(|e| type_name(AttrTy::Enum(e))).collect::<Vec<_>>().join(" or "),
        AttrTy::Words(_) | AttrTy::Str => "string".to_string(),
        AttrTy::Int(0) => "index".to_string(),
        AttrTy::Int(bits) => format!("i{bits}"),
        AttrTy::Ints => "integers".to_string(),
        AttrTy::Bool => "bool".to_string(),
        AttrTy::Unit => "unit".to_string(),
        AttrTy::Any => "any".to_string(),
    }
}

fn values(ty: AttrTy) -> Vec<&'static str> {
    match ty {
        AttrTy::Enum(e) => e.values.iter().map(|&(word, _)| word).collect(),
        AttrTy::OneOf(many) => many.iter().flat_map(|e| values(AttrTy::Enum(e))).collect(),
        AttrTy::Words(words) => words.to_vec(),
        _ => Vec::new(),
    }
}

/// All groups, in the order of the documentation, with the names the command line takes.
pub const FAMILIES: &[(Family, &str)] = &[
    (Family::Elementwise, "elementwise"),
    (Family::TileScalar, "tile-scalar"),
    (Family::ReduceExpand, "reduce-expand"),
    (Family::MemoryMovement, "memory-movement"),
    (Family::Layout, "layout"),
    (Family::Matrix, "matrix"),
    (Family::Irregular, "irregular"),
    (Family::ViewBuffer, "view-buffer"),
    (Family::ScalarAggregate, "scalar-aggregate"),
    (Family::SyncConfig, "sync-config"),
    (Family::CrossCore, "cross-core"),
    (Family::Comm, "comm"),
    (Family::Structure, "structure"),
    (Family::System, "system"),
    (Family::MicroConfig, "micro-config"),
    (Family::MicroDma, "micro-dma"),
    (Family::MicroCube, "micro-cube"),
    (Family::MicroPredicate, "micro-predicate"),
    (Family::MicroVector, "micro-vector"),
    (Family::MicroSimt, "micro-simt"),
    (Family::Vmi, "vmi"),
    (Family::Ub, "ub"),
    (Family::Async, "async"),
];

fn family_name(family: Family) -> &'static str {
    FAMILIES.iter().find(|(f, _)| *f == family).map_or("other", |&(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_name() {
        assert!(table::all().all(|op| family_name(op.family) != "other"));
    }

    #[test]
    fn filters_hold_together() {
        let filter = OpFilter { arch: Some(Arch::A5), family: Some(Family::ReduceExpand), dtype: None };
        let names: Vec<_> = filter.select().map(|op| op.name).collect();
        assert!(names.contains(&"pto.trowprod") && !names.contains(&"pto.tload"));
    }

    #[test]
    fn element_types_come_from_the_rules_of_the_target() {
        let with = |arch| {
            let filter = OpFilter { arch: Some(arch), dtype: Some(DType::I64), ..OpFilter::default() };
            filter.select().any(|op| op.name == "pto.trowsum")
        };
        assert!(with(Arch::A5) && !with(Arch::A2A3));
    }
}
