//! The one walk over the program that drives every check.

use crate::facts::{Types, Values};
use crate::kinds::{KindInfo, Shape, Special, kinds};
use crate::rule::eval::{Truth, applies, holds};
use crate::rule::{OpRules, report};
use crate::site::{AttrSyms, Program, Site};
use crate::structure::{Scopes, Symbols};
use crate::unit_flag::{self, Role};
use crate::{
    Addresses, VerifyOptions, address, codes, flags, merge, structure, subview, tiles, unwritten, valid, views,
};
use ptoc_ir::{BlockId, Ir, MAX_REGION_DEPTH, OpId, OpKind, RegionId, Traits, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::Target;
use rustc_hash::FxHashSet;

/// Findings, with an upper bound.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) dropped: usize,
    limit: usize,
}

impl Findings {
    fn len(&self) -> usize {
        self.diagnostics.len() + self.dropped
    }

    pub(crate) fn push(&mut self, d: Diagnostic) {
        if self.diagnostics.len() < self.limit {
            self.diagnostics.push(d);
        } else {
            self.dropped += 1;
        }
    }
}

/// A check that only knows how to make a diagnostic reports through this.
pub(crate) struct Walker<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) out: Findings,
    pub(crate) scopes: Scopes,
    pub(crate) symbols: Symbols,
    pub(crate) tiles: tiles::Seen,
    pub(crate) uses: unwritten::Uses,
    /// Who decides where tiles lie.
    pub(crate) addresses: Addresses,
    /// Tiles that get an address after they are made; only kept where each tile needs one.
    pub(crate) placed: FxHashSet<ValueId>,
    /// Every call between functions.
    pub(crate) calls: Vec<structure::Call>,
    kinds: &'static [KindInfo],
    /// Whether the target can execute the program is asked, too.
    pub(crate) legality: bool,
    depth: u32,
    /// The function at hand has instructions with unit-flag phases.
    flagged: bool,
}

/// Runs every check.
pub(crate) fn run(ir: &Ir, target: &Target, options: &VerifyOptions) -> Findings {
    let types = Types::of(&ir.ctx);
    let values = Values::new(ir, &types);
    let tiles = tiles::Seen::new(ir.ctx.type_count());
    let mut w = Walker {
        program: Program { ir, target, assumed: options.target_assumed, types, values, attrs: AttrSyms::of(ir) },
        out: Findings { limit: options.max_findings, ..Findings::default() },
        scopes: Scopes::new(ir),
        symbols: Symbols::default(),
        tiles,
        uses: unwritten::Uses::new(ir),
        addresses: options.addresses,
        placed: FxHashSet::default(),
        calls: Vec::new(),
        kinds: kinds(),
        legality: !options.structure_only,
        depth: 0,
        flagged: false,
    };
    w.prepare();
    w.block(ir.top(), false);
    structure::circles(&mut w);
    w.out
}

impl<'a> Walker<'a> {
    pub(crate) fn ir(&self) -> &'a Ir {
        self.program.ir
    }

    /// The special meaning of an op's kind.
    pub(crate) fn special(&self, op: OpId) -> Special {
        self.kinds.get(self.ir().op(op).kind.index()).map_or(Special::None, |k| k.special)
    }

    /// What later operations say about earlier ones: symbols, changes of valid sizes and addresses.
    fn prepare(&mut self) {
        let ir = self.ir();
        for i in 0..ir.op_count() {
            let op = OpId::from_index(i);
            let Some(info) = self.kinds.get(ir.op(op).kind.index()) else { continue };
            let interesting =
                info.traits.has(Traits::SYMBOL) || matches!(info.special, Special::SetValid | Special::TAssign);
            if !interesting || ir.is_erased(op) || ir.parent_block(op).is_none() {
                continue;
            }
            if info.traits.has(Traits::SYMBOL) {
                self.symbols.define(ir, op, &mut self.out);
            } else {
                self.program.values.note_change(ir, op);
                if self.addresses == Addresses::Written && info.special == Special::TAssign {
                    self.placed.extend(ir.operand(op, 0));
                }
            }
        }
    }

    /// Checks the ops of one block. `several`: the region has more blocks.
    fn block(&mut self, block: BlockId, several: bool) {
        let ir = self.ir();
        if !several {
            for &arg in &ir.block(block).args {
                self.scopes.define(arg);
            }
        }
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            self.op(op, several);
            if next.is_some() && ir.has_trait(op, Traits::TERMINATOR) {
                structure::dead_code(self, op);
            }
        }
    }

    fn op(&mut self, op: OpId, several: bool) {
        let ir = self.ir();
        let data = ir.op(op);
        structure::dominance(self, op);
        if data.kind == OpKind::UNREGISTERED {
            self.regions(op, false);
        } else if let Some(info) = self.kinds.get(data.kind.index()) {
            self.known(op, info);
            self.regions(op, info.traits.has(Traits::ISOLATED));
            if info.shape == Shape::Func {
                unwritten::report(self);
            }
            if info.shape == Shape::Func && std::mem::take(&mut self.flagged) {
                unit_flag::check(self, op);
            }
        }
        if !several {
            for &r in &data.results {
                self.scopes.define(r);
            }
        }
    }

    fn known(&mut self, op: OpId, info: &'static KindInfo) {
        let sound = match info.shape {
            Shape::Table => structure::table_op(self, op, info),
            shape => structure::upstream_op(self, op, info, shape),
        };
        // An op that is not even well formed has no further meaning.
        if !sound {
            return;
        }
        if self.legality {
            self.legal(op, info);
        }
        // What the op changes holds behind it.
        self.program.values.see(self.program.ir, op, info.special);
    }

    fn legal(&mut self, op: OpId, info: &'static KindInfo) {
        tiles::check(self, op, info);
        address::check(self, op, info);
        subview::check(self, op, info);
        valid::check(self, op, info);
        views::check(self, op, info);
        merge::check(self, op, info);
        if let Some(rules) = info.rules {
            let site = Site::new(&self.program, op, info);
            apply(rules, &site, &mut self.out);
        }
        if info.role != Role::None && !self.flagged {
            self.flagged = unit_flag::is_flagged(&Site::new(&self.program, op, info));
        }
        flags::check(self, op, info);
        unwritten::see(self, op, info);
    }

    fn regions(&mut self, op: OpId, isolated: bool) {
        let ir = self.ir();
        let data = ir.op(op);
        if data.regions.is_empty() {
            return;
        }
        if self.depth >= MAX_REGION_DEPTH {
            let message = format!("regions are nested more than {MAX_REGION_DEPTH} deep");
            self.out.push(Diagnostic::error(codes::TOO_DEEP, data.span, message).help("split the function"));
            return;
        }
        self.depth += 1;
        let regions: smallvec::SmallVec<[RegionId; 2]> = data.regions.iter().copied().collect();
        for region in regions {
            let blocks = &ir.region(region).blocks;
            let mark = self.scopes.enter(isolated);
            let several = blocks.len() > 1;
            for &b in blocks {
                self.block(b, several);
            }
            self.scopes.leave(mark);
        }
        self.depth -= 1;
        structure::after_regions(self, op);
    }
}

/// Checks the rules of an instruction.
fn apply(rules: &'static OpRules, s: &Site<'_>, out: &mut Findings) {
    let Some(def) = s.info.def else { return };
    let arch = s.program.target.arch;
    let mut broken = false;
    let mut group = |list: &'static [crate::Rule]| {
        let before = out.len();
        for rule in list {
            if rule.targets.has(arch) && applies(rule.when, s) && holds(&rule.check, s) == Truth::No {
                out.push(report::broken(rule, s, def));
            }
        }
        out.len() != before
    };
    for list in rules.rules {
        broken |= group(list);
    }
    if rules.paths.is_empty() {
        return;
    }
    match rules.paths.iter().find(|p| p.targets.has(arch) && applies(p.when, s)) {
        Some(path) => {
            for list in path.rules {
                group(list);
            }
        }
        // What a rule said already is reason enough.
        None if broken => {}
        None => {
            if let Some(d) = report::no_path(rules, s, def) {
                out.push(d);
            }
        }
    }
}
