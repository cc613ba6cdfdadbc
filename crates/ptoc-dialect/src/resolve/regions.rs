//! Regions, their blocks, and jumps to them.

use super::{Cursor, EntryArgs, Read, Resolver};
use crate::codes;
use ptoc_ir::{BlockId, MAX_REGION_DEPTH, OpId, RegionId, Traits};
use ptoc_source::Diagnostic;
use ptoc_syntax::ItemKind;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'t> Resolver<'t> {
    /// Reads a region into an op. `args` are the entry arguments that the operation itself wrote.
    pub(crate) fn region_into(&mut self, op: OpId, region: ptoc_syntax::RegionId, args: &EntryArgs) -> Read<RegionId> {
        let into = self.ir.add_region(op);
        let isolated = self.ir.has_trait(op, Traits::ISOLATED);
        let node = self.tree.region(region);
        if self.depth >= MAX_REGION_DEPTH {
            return Err(Box::new(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    node.span,
                    format!("regions are nested more than {MAX_REGION_DEPTH} deep"),
                )
                .help("split the function"),
            ));
        }
        self.depth += 1;
        let mark = if isolated {
            self.scope.enter_isolated();
            None
        } else {
            Some(self.scope.enter())
        };
        let result = self.region_body(into, region, args);
        match mark {
            Some(m) => self.scope.leave(m),
            None => {
                let missing = self.scope.leave_isolated();
                self.report_missing(missing);
            }
        }
        self.depth -= 1;
        result.map(|()| into)
    }

    fn region_body(&mut self, into: RegionId, region: ptoc_syntax::RegionId, args: &EntryArgs) -> Read<()> {
        let tree = self.tree;
        let blocks: SmallVec<[&'t ptoc_syntax::BlockNode; 4]> =
            tree.region(region).blocks.ids().map(|b| tree.block(b)).collect();
        let mut names: FxHashMap<&'t str, BlockId> = FxHashMap::default();
        let mut ids: SmallVec<[BlockId; 8]> = SmallVec::new();
        // The entry block exists even where the text leaves it out.
        let needs_entry = blocks.is_empty() || (!args.is_empty() && !blocks[0].label.is_none() && blocks.len() > 1);
        if needs_entry {
            let b = self.ir.create_block(into);
            self.entry_args(b, args);
        }
        for (n, node) in blocks.iter().enumerate() {
            let b = self.ir.create_block(into);
            ids.push(b);
            if n == 0 && !needs_entry {
                self.entry_args(b, args);
            }
            if !node.label.is_none() {
                let label = self.text(node.label);
                let s = self.ctx().sym(label.trim_start_matches('^'));
                self.ir.set_label(b, Some(s));
                if names.insert(label, b).is_some() {
                    let d =
                        Diagnostic::error(codes::REDEFINITION, node.label, format!("block `{label}` is defined twice"))
                            .help("rename one of them");
                    self.report(Box::new(d));
                }
            }
        }
        // A second, unnamed block counts too when deciding whether uses may come before definitions.
        let several = blocks.len() + usize::from(needs_entry) > 1;
        if several {
            names.entry("").or_insert(ids.first().copied().unwrap_or(self.ir.top()));
        }
        self.scope.enter_blocks(names);
        let mut result = Ok(());
        for (node, &b) in blocks.iter().zip(&ids) {
            if let Err(d) = self.block_args(node, b) {
                result = Err(d);
                break;
            }
            self.ops(tree.ops(node.ops), b);
        }
        self.scope.leave_blocks();
        result
    }

    fn entry_args(&mut self, block: BlockId, args: &EntryArgs) {
        for &(span, ty) in args {
            let v = self.ir.add_block_arg(block, ty);
            if !span.is_none() {
                let name = self.text(span);
                self.define(name, v, span);
            }
        }
    }

    /// Reads `(%a: T, %b: T)` of a block label.
    fn block_args(&mut self, node: &'t ptoc_syntax::BlockNode, block: BlockId) -> Read<()> {
        let mut c = Cursor::new(self.tree, node.args, node.span);
        while let Some(item) = c.eat(ItemKind::Value) {
            c.expect(ItemKind::Colon)?;
            let ty = self.ty(&mut c)?;
            let v = self.ir.add_block_arg(block, ty);
            let name = self.text(item.span);
            self.define(name, v, item.span);
            if c.eat(ItemKind::Comma).is_none() {
                break;
            }
        }
        c.expect_done()
    }

    /// Reads `^bb1` or `^bb1(%v : T)`.
    pub(crate) fn successor(&mut self, c: &mut Cursor<'_>) -> Read<ptoc_ir::Successor> {
        let item = c.expect(ItemKind::Block)?;
        let label = self.text(item.span);
        let Some(block) = self.scope.block(label) else {
            return Err(Box::new(
                Diagnostic::error(codes::UNDEFINED_BLOCK, item.span, format!("no block `{label}` in this region"))
                    .help(format!("add `{label}:` to the region, or correct the name")),
            ));
        };
        let mut args = SmallVec::new();
        if let Some(p) = c.eat(ItemKind::Paren) {
            let mut inner = c.inside(p);
            let values = self.values(&mut inner)?;
            if inner.eat(ItemKind::Colon).is_some() {
                self.types_for(&mut inner, &values)?;
            }
            inner.expect_done()?;
            args = values.iter().map(|&(v, _)| v).collect();
        }
        Ok(ptoc_ir::Successor { block, args })
    }
}
