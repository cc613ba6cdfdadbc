//! Printing: the generic form of any op, and what custom printers are made of.

mod extent;
mod names;
mod value;

use crate::{AttrData, AttrId, BlockId, Context, Ir, OpId, RegionId, Sym, Traits, TypeId, ValueId};
pub use extent::TextBounds;
use names::Names;
use smallvec::SmallVec;
pub use value::type_to_string;
use value::{write_attr, write_key, write_type};

/// The whole program in the generic form.
pub fn print_generic(ir: &Ir) -> String {
    let mut p = Printer::new(ir);
    p.generic = true;
    p.print_block_ops(ir.top());
    p.out
}

/// Text under construction.
///
/// Custom printers of a [`Registry`](crate::Registry) get one and append to it; spaces are theirs to write.
#[derive(Debug)]
pub struct Printer<'a> {
    ir: &'a Ir,
    /// The text so far.
    pub out: String,
    /// Print every op in the generic form.
    pub generic: bool,
    indent: usize,
    names: Names,
    types: Vec<Option<Box<str>>>,
}

impl<'a> Printer<'a> {
    /// A printer with all value names settled: source names where they are unique in their function, numbers elsewhere.
    pub fn new(ir: &'a Ir) -> Self {
        Printer { ir, out: String::new(), generic: false, indent: 0, names: Names::compute(ir), types: Vec::new() }
    }

    /// The whole program in custom form.
    pub fn print_all(mut self) -> String {
        self.print_block_ops(self.ir.top());
        self.out
    }

    /// The program being printed.
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }

    /// Appends text.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends `%name`.
    pub fn value(&mut self, v: ValueId) {
        self.out.push('%');
        self.names.write(self.ir, v, &mut self.out);
    }

    /// Appends values with `, ` between.
    pub fn values(&mut self, values: &[ValueId]) {
        self.list(values, |p, &v| p.value(v));
    }

    /// Appends anything with `, ` between.
    pub fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            each(self, item);
        }
    }

    /// Appends a type. Each distinct type is formatted once.
    pub fn ty(&mut self, ty: TypeId) {
        if self.types.len() <= ty.index() {
            self.types.resize(self.ir.ctx.type_count().max(ty.index() + 1), None);
        }
        let text = self.types[ty.index()].get_or_insert_with(|| {
            let mut s = String::new();
            let _ = write_type(&self.ir.ctx, ty, &mut s);
            s.into()
        });
        self.out.push_str(text);
    }

    /// Appends the type of a value.
    pub fn type_of(&mut self, v: ValueId) {
        self.ty(self.ir.value_type(v));
    }

    /// Appends types with `, ` between.
    pub fn types(&mut self, types: &[TypeId]) {
        self.list(types, |p, &t| p.ty(t));
    }

    /// Appends the types of values with `, ` between.
    pub fn types_of(&mut self, values: &[ValueId]) {
        self.list(values, |p, &v| p.type_of(v));
    }

    /// Appends result types: `T`, or `(T, T)` when there is not exactly one.
    pub fn result_types(&mut self, types: &[TypeId]) {
        match types {
            [one] if !matches!(self.ir.ctx.type_data(*one), crate::TypeData::Function { .. }) => self.ty(*one),
            many => {
                self.out.push('(');
                self.types(many);
                self.out.push(')');
            }
        }
    }

    /// Appends an attribute.
    pub fn attr(&mut self, attr: AttrId) {
        let _ = write_attr(&self.ir.ctx, attr, &mut self.out);
    }

    /// Appends `@name`, quoted where needed.
    pub fn symbol(&mut self, name: &str) {
        self.out.push('@');
        write_key(name, &mut self.out);
    }

    /// Appends ` {a = 1, b}` with the op's attributes except the named ones; nothing when none is left.
    pub fn attr_dict(&mut self, op: OpId, without: &[&str]) {
        self.attr_dict_with(op, " {", without);
    }

    /// As [`Printer::attr_dict`] with other text before (` attributes {`).
    pub fn attr_dict_with(&mut self, op: OpId, open: &str, without: &[&str]) {
        let mut first = true;
        for &(name, attr) in &self.ir.op(op).attrs {
            if without.contains(&self.ir.ctx.str(name)) {
                continue;
            }
            self.out.push_str(if first { open } else { ", " });
            first = false;
            self.named_attr(name, attr);
        }
        if !first {
            self.out.push('}');
        }
    }

    fn named_attr(&mut self, name: Sym, attr: AttrId) {
        write_key(self.ir.ctx.str(name), &mut self.out);
        if !matches!(self.ir.ctx.attr_data(attr), AttrData::Unit) {
            self.out.push_str(" = ");
            self.attr(attr);
        }
    }

    /// Starts a new line at the current indentation.
    pub fn newline(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// Appends ` {`, the region's blocks and `}`. The entry block's header (`^bb0(%x: T):`) is printed only on request.
    pub fn region(&mut self, region: RegionId, entry_header: bool) {
        self.out.push('{');
        self.indent += 1;
        let blocks = &self.ir.region(region).blocks;
        for (i, &b) in blocks.iter().enumerate() {
            if i > 0 || (entry_header && !self.ir.block(b).args.is_empty()) {
                self.indent -= 1;
                self.newline();
                self.indent += 1;
                self.block_header(b);
            }
            for op in self.ir.block_ops(b) {
                self.newline();
                self.op(op);
            }
        }
        self.indent -= 1;
        self.newline();
        self.out.push('}');
    }

    /// Appends a region whose last op is left out when `hide(op)` says that it can be implied.
    pub fn region_eliding(&mut self, region: RegionId, hide: impl Fn(&Ir, OpId) -> bool) {
        self.out.push('{');
        self.indent += 1;
        for &b in &self.ir.region(region).blocks {
            for op in self.ir.block_ops(b) {
                if self.ir.next_op(op).is_none() && hide(self.ir, op) {
                    break;
                }
                self.newline();
                self.op(op);
            }
        }
        self.indent -= 1;
        self.newline();
        self.out.push('}');
    }

    fn block_header(&mut self, b: BlockId) {
        self.block_name(b);
        let args = &self.ir.block(b).args;
        if !args.is_empty() {
            self.out.push('(');
            self.list(args, |p, &v| {
                p.value(v);
                p.out.push_str(": ");
                p.type_of(v);
            });
            self.out.push(')');
        }
        self.out.push(':');
    }

    /// Appends `^label`.
    pub fn block_name(&mut self, b: BlockId) {
        self.out.push('^');
        self.names.write_block(self.ir, b, &mut self.out);
    }

    /// Appends a successor with its arguments: `^bb1(%x : i32)`.
    pub fn successor(&mut self, s: &crate::Successor) {
        self.block_name(s.block);
        if !s.args.is_empty() {
            self.out.push('(');
            self.values(&s.args);
            self.out.push_str(" : ");
            self.types_of(&s.args);
            self.out.push(')');
        }
    }

    /// Appends one op with its results, without a line break.
    pub fn op(&mut self, op: OpId) {
        let data = self.ir.op(op);
        if !data.results.is_empty() {
            self.values(&data.results);
            self.out.push_str(" = ");
        }
        match self.ir.info(op).and_then(|i| i.print) {
            Some(print) if !self.generic => print(self.ir, op, self),
            _ => self.generic_op(op),
        }
        if let Some(loc) = data.loc {
            self.out.push(' ');
            self.attr(loc);
        }
    }

    /// Appends one op in the generic form, without its results.
    pub fn generic_op(&mut self, op: OpId) {
        let ir = self.ir;
        let data = ir.op(op);
        let info = ir.info(op);
        // What successors are handed are operands behind all others. An unregistered operation keeps them in the brackets: nobody
        // could tell them apart again.
        let handed: SmallVec<[ValueId; 4]> = match info {
            Some(_) => data.successors.iter().flat_map(|s| s.args.iter().copied()).collect(),
            None => SmallVec::new(),
        };
        let operands: SmallVec<[ValueId; 8]> = data.operands.iter().chain(&handed).copied().collect();
        self.out.push('"');
        self.out.push_str(ir.op_name(op));
        self.out.push_str("\"(");
        self.values(&operands);
        self.out.push(')');
        if !data.successors.is_empty() {
            self.out.push('[');
            match info {
                Some(_) => self.list(&data.successors, |p, s| p.block_name(s.block)),
                None => self.list(&data.successors, |p, s| p.successor(s)),
            }
            self.out.push(']');
        }
        let properties = info.and_then(|i| i.properties);
        if let Some(properties) = properties {
            self.out.push_str(" <{");
            (properties.print)(ir, op, self);
            self.out.push_str("}>");
        } else if ir.has_trait(op, Traits::SEGMENTED) {
            let sizes: SmallVec<[usize; 8]> = data.segments.iter().map(|&n| usize::from(n)).collect();
            self.segment_sizes(&sizes);
        } else if info.is_some() && data.successors.len() > 1 {
            let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_slice(&[data.operands.len()]);
            sizes.extend(data.successors.iter().map(|s| s.args.len()));
            self.segment_sizes(&sizes);
        }
        let missing = info.map_or(0, |i| usize::from(i.generic_regions)).saturating_sub(data.regions.len());
        if data.regions.len() + missing > 0 {
            self.out.push_str(" (");
            self.list(&data.regions, |p, &r| p.region(r, true));
            for i in 0..missing {
                self.out.push_str(if i + data.regions.len() > 0 { ", {" } else { "{" });
                self.newline();
                self.out.push('}');
            }
            self.out.push(')');
        }
        self.attr_dict(op, properties.map_or(&[], |p| p.names));
        self.out.push_str(" : (");
        self.types_of(&operands);
        self.out.push_str(") -> ");
        let results: SmallVec<[TypeId; 4]> = data.results.iter().map(|&v| ir.value_type(v)).collect();
        self.result_types(&results);
    }

    /// Appends ` <{operandSegmentSizes = array<i32: 1, 0>}>`.
    fn segment_sizes(&mut self, sizes: &[usize]) {
        self.out.push_str(" <{operandSegmentSizes = ");
        self.sizes(sizes);
        self.out.push_str("}>");
    }

    /// Appends `array<i32: 1, 0>`.
    pub fn sizes(&mut self, sizes: &[usize]) {
        self.out.push_str("array<i32");
        self.out.push_str(if sizes.is_empty() { "" } else { ": " });
        self.list(sizes, |p, n| p.out.push_str(&n.to_string()));
        self.out.push('>');
    }

    fn print_block_ops(&mut self, block: BlockId) {
        for op in self.ir.block_ops(block) {
            self.op(op);
            self.out.push('\n');
        }
    }
}

impl Context {
    /// The canonical text of a type.
    pub fn type_string(&self, ty: TypeId) -> String {
        type_to_string(self, ty)
    }

    /// The canonical text of an attribute.
    pub fn attr_string(&self, attr: AttrId) -> String {
        let mut s = String::new();
        let _ = write_attr(self, attr, &mut s);
        s
    }
}
