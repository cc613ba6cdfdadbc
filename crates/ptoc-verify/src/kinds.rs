//! What the verifier knows of an op kind, resolved once for the whole process.

use crate::rule::{Attr, OpRules, Opd};
use crate::rules;
use crate::structure::Arith;
use crate::unit_flag::Role;
use ptoc_dialect::{Arity, OpDef, registry::Dialects};
use ptoc_ir::{OpKind, Traits};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Kinds whose effect on the facts about values matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    None,
    Constant,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    Cast,
    CeilDiv,
    Shl,
    And,
    AllocTile,
    AllocMulti,
    TAssign,
    Subview,
    Subset,
    Reshape,
    SetValid,
    MakeView,
    PartitionView,
    ViewQuery,
    MergeSort,
    Flag,
    FlagDyn,
    Barrier,
}

/// Kinds with a structural check of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A table entry: operands and results are checked against it.
    Table,
    /// One of the upstream dialects.
    Module,
    Func,
    Return,
    Call,
    For,
    If,
    While,
    Switch,
    Execute,
    Condition,
    Yield,
    Branch,
    CondBranch,
    SwitchBranch,
    /// An upstream operation with this many operands and results.
    Fixed(u8, u8),
    /// Anything else.
    Free,
}

const ABSENT: u8 = u8::MAX;

/// Positions from here on are results.
const RESULT: u8 = 128;

/// Where the value of a role is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Operand(usize),
    Result(usize),
}

/// One kind.
pub(crate) struct KindInfo {
    pub(crate) def: Option<&'static OpDef>,
    pub(crate) traits: Traits,
    pub(crate) special: Special,
    pub(crate) arith: Option<Arith>,
    pub(crate) shape: Shape,
    pub(crate) rules: Option<&'static OpRules>,
    /// What it does with unit flags.
    pub(crate) role: Role,
    /// Number of operands that become results in the value forms, and how many of them must be there.
    pub(crate) dests: (u8, u8),
    /// True when results of the kind are fresh tiles.
    pub(crate) makes_tiles: bool,
    /// True when some attribute must be there.
    pub(crate) required_attrs: bool,
    operands: [u8; Opd::ALL.len()],
    /// The attribute's index in the entry.
    attrs: [u8; Attr::ALL.len()],
}

impl KindInfo {
    /// Position of a role in the entry's operands or results.
    pub(crate) fn place(&self, o: Opd) -> Option<Place> {
        match self.operands[o as usize] {
            ABSENT => None,
            i if i >= RESULT => Some(Place::Result((i - RESULT) as usize)),
            i => Some(Place::Operand(i as usize)),
        }
    }

    /// Position of a role in the entry's operands.
    pub(crate) fn operand(&self, o: Opd) -> Option<usize> {
        match self.place(o)? {
            Place::Operand(i) => Some(i),
            Place::Result(_) => None,
        }
    }

    /// The default word of an attribute.
    pub(crate) fn default_word(&self, a: Attr) -> Option<&'static str> {
        let i = self.attrs[a as usize];
        self.def?.attrs.get(i as usize)?.default
    }
}

static KINDS: LazyLock<Vec<KindInfo>> = LazyLock::new(|| {
    let dialects = Dialects::get();
    let by_name: FxHashMap<&str, &'static OpRules> = rules::all().map(|r| (r.op, r)).collect();
    let kinds = dialects.registry().infos().iter().enumerate();
    kinds
        .map(|(i, info)| {
            let def = dialects.def(OpKind(i as u16));
            let mut operands = [ABSENT; Opd::ALL.len()];
            let mut attrs = [ABSENT; Attr::ALL.len()];
            let mut dests = (0, 0);
            if let Some(def) = def {
                for &o in Opd::ALL {
                    let at = o.words().iter().find_map(|w| def.operand_index(w)).map(|i| i as u8);
                    let result = || {
                        let found = o.words().iter().find_map(|w| def.results.iter().position(|r| r.name == *w));
                        found.map(|i| RESULT + i as u8)
                    };
                    operands[o as usize] = at.or_else(result).unwrap_or(ABSENT);
                }
                for &a in Attr::ALL {
                    let at = a.words().iter().find_map(|w| def.attrs.iter().position(|d| d.name == *w));
                    attrs[a as usize] = at.map_or(ABSENT, |i| i as u8);
                }
                for (_, o) in def.dests() {
                    dests.0 += 1;
                    dests.1 += u8::from(o.arity == Arity::One);
                }
            }
            KindInfo {
                def,
                traits: info.traits,
                special: special(info.name),
                arith: Arith::of(info.name),
                shape: if def.is_some() { Shape::Table } else { shape(info.name) },
                role: Role::of(info.name),
                rules: by_name.get(info.name).copied(),
                dests,
                makes_tiles: dests.0 > 0 || matches!(info.name, "pto.alloc_tile" | "pto.declare_tile"),
                required_attrs: def.is_some_and(|d| d.attrs.iter().any(|a| a.required)),
                operands,
                attrs,
            }
        })
        .collect()
});

/// The kinds by index.
pub(crate) fn kinds() -> &'static [KindInfo] {
    &KINDS
}

fn special(name: &str) -> Special {
    match name {
        "arith.constant" => Special::Constant,
        "arith.addi" => Special::Add,
        "arith.subi" => Special::Sub,
        "arith.muli" => Special::Mul,
        "arith.divsi" | "arith.divui" => Special::Div,
        "arith.remsi" | "arith.remui" => Special::Rem,
        "arith.minsi" | "arith.minui" => Special::Min,
        "arith.maxsi" | "arith.maxui" => Special::Max,
        "arith.ceildivsi" | "arith.ceildivui" => Special::CeilDiv,
        "arith.floordivsi" => Special::Div,
        "arith.shli" => Special::Shl,
        "arith.andi" => Special::And,
        "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui" | "arith.trunci" => Special::Cast,
        "pto.alloc_tile" => Special::AllocTile,
        "pto.alloc_multi_tile" => Special::AllocMulti,
        "pto.tassign" => Special::TAssign,
        "pto.subview" => Special::Subview,
        "pto.subset" => Special::Subset,
        "pto.bitcast" | "pto.treshape" | "pto.multi_tile_get" => Special::Reshape,
        "pto.set_validshape" => Special::SetValid,
        "pto.make_tensor_view" => Special::MakeView,
        "pto.partition_view" => Special::PartitionView,
        "pto.get_tensor_view_dim" | "pto.get_tensor_view_stride" => Special::ViewQuery,
        "pto.tmrgsort" => Special::MergeSort,
        "pto.set_flag" | "pto.wait_flag" => Special::Flag,
        "pto.set_flag_dyn" | "pto.wait_flag_dyn" => Special::FlagDyn,
        "pto.barrier" => Special::Barrier,
        _ => Special::None,
    }
}

fn shape(name: &str) -> Shape {
    match name {
        "builtin.module" => Shape::Module,
        "func.func" => Shape::Func,
        "func.return" => Shape::Return,
        "func.call" => Shape::Call,
        "scf.for" => Shape::For,
        "scf.if" => Shape::If,
        "scf.while" => Shape::While,
        "scf.index_switch" => Shape::Switch,
        "scf.execute_region" => Shape::Execute,
        "scf.condition" => Shape::Condition,
        "scf.yield" => Shape::Yield,
        "cf.br" => Shape::Branch,
        "cf.cond_br" => Shape::CondBranch,
        "cf.switch" => Shape::SwitchBranch,
        "arith.constant" => Shape::Fixed(0, 1),
        "arith.select" => Shape::Fixed(3, 1),
        "arith.negf" => Shape::Fixed(1, 1),
        n if n.starts_with("arith.") && n.contains("cast") => Shape::Fixed(1, 1),
        "arith.trunci" | "arith.extui" | "arith.extsi" | "arith.truncf" | "arith.extf" | "arith.sitofp"
        | "arith.uitofp" | "arith.fptosi" | "arith.fptoui" => Shape::Fixed(1, 1),
        n if n.starts_with("arith.") => Shape::Fixed(2, 1),
        "llvm.load" | "llvm.alloca" | "llvm.bitcast" | "llvm.inttoptr" | "llvm.ptrtoint" => Shape::Fixed(1, 1),
        "llvm.store" => Shape::Fixed(2, 0),
        _ => Shape::Free,
    }
}
