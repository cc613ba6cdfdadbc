//! Names of values and blocks in printed text.

use crate::{BlockId, Context, Ir, OpId, Sym, Traits, ValueId, Walk, walk};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

#[derive(Clone, Copy, Debug)]
enum Name {
    Number(u32),
    Source(Sym),
    Numbered(Sym, u32),
}

/// Settled names. A source name is kept when it is unique in its function, else it gets `_N`; the rest is numbered.
#[derive(Debug, Default)]
pub(super) struct Names {
    values: Vec<Option<Name>>,
    blocks: Vec<Option<Name>>,
}

/// Names already given in one isolated scope.
#[derive(Default)]
struct Scope {
    next: u32,
    source: FxHashSet<Sym>,
    taken: FxHashSet<Sym>,
    clashes: FxHashMap<Sym, u32>,
}

impl Names {
    pub(super) fn compute(ir: &Ir) -> Self {
        let mut names = Names { values: vec![None; ir.value_count()], blocks: vec![None; ir.block_count()] };
        let mut top = Vec::new();
        walk(ir, ir.top(), &mut |op| {
            top.push(op);
            if ir.has_trait(op, Traits::ISOLATED) { Walk::Skip } else { Walk::Into }
        });
        // Scopes are worked off one by one, so their nesting does not matter.
        let mut isolated: Vec<OpId> = Vec::new();
        names.scope(ir, None, &top, &mut isolated);
        while let Some(op) = isolated.pop() {
            let mut ops = Vec::new();
            for &r in &ir.op(op).regions {
                for &b in &ir.region(r).blocks {
                    walk(ir, b, &mut |o| {
                        ops.push(o);
                        if ir.has_trait(o, Traits::ISOLATED) { Walk::Skip } else { Walk::Into }
                    });
                }
            }
            names.scope(ir, Some(op), &ops, &mut isolated);
        }
        names
    }

    fn scope(&mut self, ir: &Ir, owner: Option<OpId>, ops: &[OpId], isolated: &mut Vec<OpId>) {
        let mut order: Vec<ValueId> = Vec::new();
        if let Some(owner) = owner {
            self.region_values(ir, owner, &mut order);
        }
        for &op in ops {
            order.extend(ir.op(op).results.iter().copied());
            if ir.has_trait(op, Traits::ISOLATED) {
                isolated.push(op);
            } else {
                self.region_values(ir, op, &mut order);
            }
        }
        let source = order.iter().map(|&v| ir.value(v).name).collect();
        let mut scope = Scope { source, ..Scope::default() };
        for v in order {
            let name = ir.value(v).name;
            self.values[v.index()] = Some(scope.settle(ir, name));
        }
    }

    /// Appends the block arguments of an op's regions and settles the labels of their blocks.
    fn region_values(&mut self, ir: &Ir, op: OpId, order: &mut Vec<ValueId>) {
        for &r in &ir.op(op).regions {
            let blocks = &ir.region(r).blocks;
            let mut labels: FxHashSet<Sym> = FxHashSet::default();
            for &b in blocks {
                let label = ir.block(b).label.filter(|&l| labels.insert(l));
                self.blocks[b.index()] = label.map(Name::Source);
                order.extend(ir.block(b).args.iter().copied());
            }
            if blocks.len() > 1 {
                let used: FxHashSet<&str> = labels.iter().map(|&l| ir.ctx.str(l)).collect();
                let mut next = 0;
                for &b in blocks {
                    if self.blocks[b.index()].is_none() {
                        while used.contains(format!("bb{next}").as_str()) {
                            next += 1;
                        }
                        self.blocks[b.index()] = Some(Name::Number(next));
                        next += 1;
                    }
                }
            }
        }
    }

    pub(super) fn write(&self, ir: &Ir, v: ValueId, out: &mut String) {
        match self.values.get(v.index()).copied().flatten() {
            Some(Name::Number(n)) => {
                let _ = write!(out, "{n}");
            }
            Some(Name::Source(s)) => out.push_str(ir.ctx.str(s)),
            Some(Name::Numbered(s, n)) => {
                let _ = write!(out, "{}_{n}", ir.ctx.str(s));
            }
            None => {
                let _ = write!(out, "detached{}", v.index());
            }
        }
    }

    pub(super) fn write_block(&self, ir: &Ir, b: BlockId, out: &mut String) {
        match self.blocks.get(b.index()).copied().flatten() {
            Some(Name::Source(s) | Name::Numbered(s, _)) => out.push_str(ir.ctx.str(s)),
            Some(Name::Number(n)) => {
                let _ = write!(out, "bb{n}");
            }
            None => out.push_str("bb0"),
        }
    }
}

impl Scope {
    fn settle(&mut self, ir: &Ir, name: Sym) -> Name {
        if name == Context::EMPTY {
            self.next += 1;
            return Name::Number(self.next - 1);
        }
        if self.taken.insert(name) {
            return Name::Source(name);
        }
        let n = self.clashes.entry(name).or_insert(0);
        loop {
            let candidate = ir.ctx.find_sym(&format!("{}_{n}", ir.ctx.str(name)));
            *n += 1;
            match candidate {
                Some(s) if self.source.contains(&s) || !self.taken.insert(s) => {}
                _ => return Name::Numbered(name, *n - 1),
            }
        }
    }
}
