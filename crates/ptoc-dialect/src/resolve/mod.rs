//! Syntax tree to IR: names, types and the meaning of an operation's items.
//!
//! Reading never fails: an operation that cannot be read is reported and left out, its results are marked so that their uses
//! are not reported again, and reading goes on with the next one.

mod attrs;
mod cursor;
mod generic;
mod infer;
mod names;
mod normalize;
mod regions;
mod scope;
mod table;
mod types;
mod value;

pub(crate) use attrs::unquote;
pub(crate) use cursor::{Cursor, Read};
pub(crate) use types::{Texts, parse_type_text};

/// Reads an integer that fits 64 bits.
pub(crate) fn parse_i64(text: &str) -> Option<i64> {
    types::parse_int(text).and_then(|n| i64::try_from(n).ok())
}

use crate::codes;
use crate::registry::{Dialects, Named};
use ptoc_ir::{AttrData, BlockId, Context, Ir, OpId, OpKind, TextBounds, TypeData, TypeId, ValueId, builtin};
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_syntax::{ItemKind, Limits, OpNode, RegionStyle, Tree, Vocabulary};
use ptoc_target::{Arch, Target};
use rustc_hash::FxHashMap;
use scope::Scope;
use smallvec::SmallVec;
use std::ops::Range;

/// How to read a program.
#[derive(Debug, Clone, Default)]
pub struct ResolveOptions {
    /// The architecture; without it the module attribute `pto.target_arch` decides, then A2/A3.
    pub arch: Option<Arch>,
    /// Accept operations of unknown dialects in the generic form.
    pub allow_unregistered: bool,
    /// Bounds of the syntax.
    pub limits: Limits,
}

/// A program with what was wrong with its text.
#[derive(Debug)]
pub struct Resolved {
    /// The program, without the operations that could not be read.
    pub ir: Ir,
    /// The architecture it was read for.
    pub arch: Arch,
    /// Nobody named it: neither the options nor the program.
    pub assumed: bool,
    /// Findings in order of position.
    pub diagnostics: Vec<Diagnostic>,
}

/// The words of the language, for the parser.
#[derive(Debug, Clone, Copy)]
pub struct PtoVocabulary;

impl Vocabulary for PtoVocabulary {
    fn is_bare_op(&self, word: &str) -> bool {
        match Dialects::get().named(word) {
            Named::Table(_) | Named::Upstream(_) => !word.contains('.'),
            Named::Mnemonic(_) => true,
            Named::Unknown => false,
        }
    }

    fn region_op(&self, name: &str) -> RegionStyle {
        let dialects = Dialects::get();
        let regions = match dialects.named(name) {
            Named::Table(k) => dialects.def(k).is_some_and(|d| d.regions > 0),
            Named::Upstream(k) => dialects.upstream(k).is_some_and(|u| u.regions),
            Named::Mnemonic(_) | Named::Unknown => false,
        };
        if regions { RegionStyle::Region } else { RegionStyle::None }
    }
}

/// Parses and resolves one program: the bytes `range` of `file`. Spans count from the start of the file.
pub fn resolve(file: &str, range: Range<usize>, options: &ResolveOptions) -> Resolved {
    let text = file.get(range.clone()).unwrap_or("");
    let base = u32::try_from(range.start).unwrap_or(u32::MAX);
    let parse = ptoc_syntax::parse(text, base, &PtoVocabulary, &options.limits);
    let broken: Vec<u32> = parse.diagnostics.iter().map(|d| d.primary_span().start).collect();
    let mut resolved = resolve_around(file, &parse.tree, options, &broken);
    if parse.diagnostics.len() > options.limits.max_errors as usize {
        // The parser gave up, and most of the rest would follow from that.
        resolved.diagnostics = parse.diagnostics;
    } else if !parse.diagnostics.is_empty() {
        let mut all = parse.diagnostics;
        all.append(&mut resolved.diagnostics);
        all.sort_by_key(|d| d.primary_span().start);
        resolved.diagnostics = all;
    }
    resolved
}

/// Resolves a syntax tree whose spans point into `file`.
pub fn resolve_tree(file: &str, tree: &Tree, options: &ResolveOptions) -> Resolved {
    resolve_around(file, tree, options, &[])
}

/// `broken`: where the parser found errors, in order. A statement that holds one is not blamed a second time.
fn resolve_around(file: &str, tree: &Tree, options: &ResolveOptions, broken: &[u32]) -> Resolved {
    let written = if options.arch.is_none() { written_target(file, tree) } else { None };
    let target = written.map(|(span, string)| if string { Target::by_name(target_name(file, span)) } else { None });
    let arch = options.arch.or_else(|| target.as_ref()?.as_ref().map(|t| t.arch)).unwrap_or(Arch::A2A3);
    let mut r = Resolver {
        ir: Ir::new(Dialects::get().registry()),
        tree,
        texts: Texts::new(file, arch),
        options,
        diagnostics: Vec::new(),
        scope: Scope::default(),
        state: table::State::default(),
        replaced: FxHashMap::default(),
        undefined: FxHashMap::default(),
        broken,
        unreported: 0,
        depth: 0,
    };
    // A region may get the terminator that its text leaves out.
    r.ir.reserve(tree.op_count() + tree.region_count(), tree.result_count() + tree.region_count());
    // Names repeat from function to function; this many is enough for most programs.
    r.ir.ctx.reserve_strings(tree.result_count().min(1024));
    if let (Some((span, string)), Some(None)) = (written, target) {
        r.report(if string { unknown_target(file, span) } else { no_target_name(file, span) });
    }
    r.aliases();
    let top = r.ir.top();
    r.scope.enter_isolated();
    r.ops(tree.ops(tree.top()), top);
    let missing = r.scope.leave_isolated();
    r.report_missing(missing);
    if !r.replaced.is_empty() {
        let map = std::mem::take(&mut r.replaced);
        r.ir.replace_values(|v| map.get(&v).copied());
    }
    if let Some(arch) = options.arch {
        r.choose(arch);
    }
    if r.unreported > 0 {
        let message = format!("{} more errors are not shown", r.unreported);
        r.diagnostics.push(
            Diagnostic::error(codes::TOO_MANY, Span::NONE, message).help("correct the errors above and run again"),
        );
    }
    let assumed = options.arch.is_none() && written.is_none();
    Resolved { ir: r.ir, arch, assumed, diagnostics: r.diagnostics }
}

/// The value that the first module with `pto.target_arch` gives it, and whether it is a string.
fn written_target(file: &str, tree: &Tree) -> Option<(Span, bool)> {
    let mut ops: Vec<&OpNode> = tree.ops(tree.top()).iter().rev().collect();
    while let Some(op) = ops.pop() {
        if !matches!(op.name.of(file), "module" | "builtin.module") {
            continue;
        }
        for dict in tree.items(op.items).filter(|i| i.kind == ItemKind::Brace) {
            let mut items = tree.children(dict);
            while let Some(key) = items.next() {
                let (mut rest, equal) = (items, items.first_kind() == Some(ItemKind::Equal));
                let value = rest.nth(1).filter(|_| equal);
                if let Some(value) = value
                    && key.span.of(file).trim_matches('"') == TARGET_ATTR
                {
                    return Some((value.span, value.kind == ItemKind::Str));
                }
            }
        }
        for &r in tree.regions(op.regions) {
            for b in tree.region(r).blocks.ids() {
                ops.extend(tree.ops(tree.block(b).ops).iter().rev());
            }
        }
    }
    None
}

/// The module attribute that says what a program is made for.
const TARGET_ATTR: &str = "pto.target_arch";

fn no_target_name(file: &str, value: Span) -> Box<Diagnostic> {
    let message = format!("`{TARGET_ATTR}` must be a string, not `{}`", value.of(file));
    Box::new(
        Diagnostic::error(codes::UNKNOWN_TARGET, value, message)
            .at("the value of `pto.target_arch`")
            .note("the targets are a2a3 (also a2, a3) and a5")
            .help("write `\"a2a3\"` or `\"a5\"`"),
    )
}

fn target_name(file: &str, string: Span) -> &str {
    string.of(file).trim_matches('"')
}

fn unknown_target(file: &str, string: Span) -> Box<Diagnostic> {
    let name = target_name(file, string);
    let d = Diagnostic::error(codes::UNKNOWN_TARGET, string, format!("unknown target `{name}`"))
        .at("the value of `pto.target_arch`")
        .note("the targets are a2a3 (also a2, a3) and a5");
    Box::new(match did_you_mean(name, ["a2a3", "a5"]) {
        Some(good) => d.fix(format!("did you mean `{good}`?"), string, format!("\"{good}\"")),
        None => d.help("write `a2a3` or `a5`, or choose with `--target`"),
    })
}

pub(crate) struct Resolver<'t> {
    pub(crate) ir: Ir,
    pub(crate) tree: &'t Tree,
    pub(crate) texts: Texts<'t>,
    options: &'t ResolveOptions,
    diagnostics: Vec<Diagnostic>,
    scope: Scope<'t>,
    state: table::State,
    /// Placeholders of forward uses with the values they stand for.
    replaced: FxHashMap<ValueId, ValueId>,
    /// Names used where nothing visible has them, with the report about the first use.
    undefined: FxHashMap<&'t str, usize>,
    /// Where the parser found errors, in order.
    broken: &'t [u32],
    /// Errors beyond the limit.
    unreported: u64,
    depth: u32,
}

/// Operands as read: value and place.
pub(crate) type Values = SmallVec<[(ValueId, Span); 3]>;

/// The arguments of a region's entry block that the operation itself writes: name and type.
pub(crate) type EntryArgs = SmallVec<[(Span, TypeId); 4]>;

/// What an alias defined by so much text may stand for: eight times as much, for text that is written shorter than it is printed.
fn alias_bounds(definition: Span) -> TextBounds {
    const BYTES: usize = 4096;
    const DEPTH: usize = 128;
    let written = definition.end.saturating_sub(definition.start) as usize;
    TextBounds { bytes: written.saturating_mul(8).max(BYTES), depth: DEPTH }
}

impl<'t> Resolver<'t> {
    pub(crate) fn ctx(&mut self) -> &mut Context {
        &mut self.ir.ctx
    }

    pub(crate) fn file(&self) -> &'t str {
        self.texts.file
    }

    pub(crate) fn text(&self, span: Span) -> &'t str {
        self.texts.text(span)
    }

    // Errors travel in boxes, so that results stay small.
    #[allow(clippy::boxed_local)]
    pub(crate) fn report(&mut self, d: Box<Diagnostic>) {
        if d.code == codes::POISONED {
            return;
        }
        if self.diagnostics.len() < self.options.limits.max_errors as usize {
            self.diagnostics.push(*d);
        } else {
            self.unreported += 1;
        }
    }

    pub(crate) fn ty(&mut self, c: &mut Cursor<'_>) -> Read<TypeId> {
        self.texts.ty(&mut self.ir.ctx, c)
    }

    pub(crate) fn result_types(&mut self, c: &mut Cursor<'_>) -> Read<Vec<(TypeId, Span)>> {
        self.texts.result_types(&mut self.ir.ctx, c)
    }

    fn aliases(&mut self) {
        let mut too_large = false;
        for alias in self.tree.aliases() {
            let mut c = Cursor::new(self.tree, alias.items, alias.span);
            let is_type = self.text(alias.name).starts_with('!');
            let bounds = alias_bounds(alias.span);
            let (read, fits) = if is_type {
                let ty = self.ty(&mut c);
                let fits = ty.as_ref().is_ok_and(|&t| bounds.hold_type(&self.ir.ctx, t));
                let stands_for = if fits { None } else { Some(builtin::NONE) };
                (ty.map(|t| self.texts.add_type_alias(alias.name, stands_for.unwrap_or(t))), fits)
            } else if c.at_word(self.texts.file, "loc") {
                let text = types::squeeze(self.text(Span::new(c.here().start, alias.span.end)));
                let s = self.ctx().sym(&text);
                let a = self.ctx().attr(AttrData::Raw(s));
                self.texts.add_attr_alias(alias.name, a);
                continue;
            } else {
                let attr = self.texts.attr(&mut self.ir.ctx, &mut c);
                let fits = attr.as_ref().is_ok_and(|&a| bounds.hold_attr(&self.ir.ctx, a));
                let stands_for = if fits { None } else { Some(self.ctx().attr(AttrData::Unit)) };
                (attr.map(|a| self.texts.add_attr_alias(alias.name, stands_for.unwrap_or(a))), fits)
            };
            match read.and_then(|()| c.expect_done()) {
                Err(d) => self.report(d),
                // Those that use it are too large because of it.
                Ok(()) if !fits && !std::mem::replace(&mut too_large, true) => self.report(Box::new(
                    Diagnostic::error(
                        codes::ALIAS_TOO_LARGE,
                        alias.name,
                        format!("`{}` stands for a text that is too long or nested too deeply", self.text(alias.name)),
                    )
                    .note(format!(
                        "an alias may stand for {} bytes here, with brackets {} deep",
                        bounds.bytes, bounds.depth
                    ))
                    .help("use fewer aliases of aliases"),
                )),
                Ok(()) => {}
            }
        }
    }

    fn ops(&mut self, ops: &'t [OpNode], block: BlockId) {
        for node in ops {
            if let Err(d) = self.op(node, block) {
                if !self.is_broken(node) {
                    self.report(d);
                }
                self.poison(node);
            }
        }
    }

    /// True when the parser reported something in the statement itself, outside of its regions.
    fn is_broken(&self, node: &OpNode) -> bool {
        let body = self.tree.regions(node.regions).iter().map(|&r| self.tree.region(r).span.start).min();
        let end = body.unwrap_or(node.span.end);
        let next = self.broken.partition_point(|&at| at < node.span.start);
        self.broken.get(next).is_some_and(|&at| at <= end)
    }

    /// A target that was chosen from outside is what the program is made for from now on.
    fn choose(&mut self, arch: Arch) {
        let Some(name) = self.ir.ctx.find_sym(TARGET_ATTR) else { return };
        let module = crate::registry::kind("builtin.module");
        for i in 0..self.ir.op_count() {
            let op = OpId::from_index(i);
            if self.ir.op(op).kind != module || !self.ir.op(op).attrs.iter().any(|(n, _)| *n == name) {
                continue;
            }
            let same = match self.ir.attr_data(op, TARGET_ATTR) {
                Some(AttrData::String(s)) => Target::by_name(self.ir.ctx.str(*s)).is_some_and(|t| t.arch == arch),
                _ => false,
            };
            if !same {
                let value = self.ir.ctx.str_attr(arch.name());
                self.ir.set_attr(op, TARGET_ATTR, value);
            }
        }
    }

    fn op(&mut self, node: &'t OpNode, block: BlockId) -> Read<()> {
        let name = self.text(node.name);
        let named = Dialects::get().named(name);
        if node.quoted {
            return self.generic_op(node, block, named);
        }
        let mut c = Cursor::new(self.tree, node.items, node.span);
        match named {
            Named::Table(k) => self.table_op(node, k, c, block),
            Named::Mnemonic(k) => self.value_op(node, k, c, block, true),
            Named::Upstream(k) => {
                let Some(up) = Dialects::get().upstream(k) else { return Err(self.unknown(node)) };
                let mut built = Built { node, kind: k, block, op: None };
                (up.read)(self, &mut c, &mut built)?;
                let Some(op) = built.op else { return Err(c.expected("an operation")) };
                self.trailing(op, &mut c)?;
                c.expect_done()
            }
            Named::Unknown => Err(self.unknown(node)),
        }
    }

    fn unknown(&mut self, node: &OpNode) -> Box<Diagnostic> {
        let name = self.text(node.name);
        let d = Diagnostic::error(codes::UNKNOWN_OP, node.name, format!("no operation `{name}`"));
        let prefixed = name.contains('.');
        let names = Dialects::get()
            .registry()
            .infos()
            .iter()
            .map(|i| if prefixed { i.name } else { i.name.strip_prefix("pto.").unwrap_or(i.name) });
        Box::new(match did_you_mean(name, names) {
            Some(n) => d.fix(format!("did you mean `{n}`?"), node.name, n),
            None if node.quoted => d
                .note("operations of unknown dialects are accepted with --allow-unregistered")
                .help("`ptoc ops` lists the operations"),
            None => d.help("`ptoc ops` lists the operations"),
        })
    }

    /// Makes an op in a block with the results the text names.
    pub(crate) fn build(&mut self, b: &mut Built<'t>, types: &[TypeId]) -> Read<OpId> {
        let op = self.ir.create_op(b.kind, b.node.span, types);
        self.ir.append(b.block, op);
        b.op = Some(op);
        self.define_results(b.node, op)?;
        Ok(op)
    }

    /// Checks the type written at a use against the value's.
    pub(crate) fn check_type(&mut self, value: ValueId, use_span: Span, written: TypeId, at: Span) -> Read<()> {
        let is = self.ir.value_type(value);
        if is == written {
            return Ok(());
        }
        if is == builtin::NONE {
            // A placeholder takes the type of its first use.
            self.ir.set_value_type(value, written);
            return Ok(());
        }
        let name = self.text(use_span);
        Err(self.type_error(use_span, name, is, written, at))
    }

    fn type_error(&mut self, use_span: Span, name: &str, is: TypeId, written: TypeId, at: Span) -> Box<Diagnostic> {
        let ctx = &self.ir.ctx;
        let (a, b) = (ctx.type_string(is), ctx.type_string(written));
        // Where the text names no type, the operation itself asks for one.
        if at == use_span {
            let mut d =
                Diagnostic::error(codes::TYPE_MISMATCH, at, format!("`{name}` is `{a}`, but `{b}` is needed here"))
                    .at(format!("must be `{b}`"));
            if let Some((_, def)) = self.binding(name) {
                d = d.label(def, format!("defined here as `{a}`"));
            }
            return Box::new(match (ctx.type_data(is), written) {
                (TypeData::Index | TypeData::Integer { .. }, builtin::I1) => d.help(format!(
                    "compare: `arith.cmpi ne, {name}, %zero : {a}` gives an `i1`"
                )),
                (TypeData::Integer { .. }, builtin::INDEX) => d.help(format!(
                    "convert with `arith.index_cast {name} : {a} to index`, or write the type where the operation lets you"
                )),
                _ => d.help(format!("pass a value of type `{b}`")),
            });
        }
        let mut d =
            Diagnostic::error(codes::TYPE_MISMATCH, at, format!("`{name}` does not have the type written here"))
                .at("written here")
                .label(use_span, "this value")
                .note(format!("defined as  {a}"))
                .note(format!("written as  {b}"));
        if let Some((_, def)) = self.binding(name) {
            d = d.label(def, "defined here");
        }
        if let (Some(x), Some(y)) = (crate::types::tile_of(ctx, is), crate::types::tile_of(ctx, written)) {
            d = d.note(format!("they differ in: {}", crate::types::differences(&x, &y).join(", ")));
        }
        Box::new(d.fix("write the type of the definition", at, a))
    }

    /// Reads attributes of a dictionary group into an op.
    pub(crate) fn dict_into(&mut self, op: OpId, c: &Cursor<'_>, group: ptoc_syntax::Item) -> Read<()> {
        let mut attrs = Vec::new();
        self.texts.dict(&mut self.ir.ctx, c.inside(group), &mut attrs, &mut |_, _, _| {})?;
        self.ir.op_mut(op).attrs.extend(attrs);
        Ok(())
    }

    /// Reads what may follow any operation: attributes and a location.
    pub(crate) fn trailing(&mut self, op: OpId, c: &mut Cursor<'_>) -> Read<()> {
        if let Some(g) = c.eat(ItemKind::Brace) {
            self.dict_into(op, c, g)?;
        }
        self.location(op, c)
    }

    fn location(&mut self, op: OpId, c: &mut Cursor<'_>) -> Read<()> {
        if c.at_word(self.texts.file, "loc") && c.peek_second().is_some_and(|i| i.kind == ItemKind::Paren) {
            let start = c.here();
            c.bump();
            let end = c.here();
            c.bump();
            let text = types::squeeze(self.text(start.to(end)));
            let s = self.ctx().sym(&text);
            let a = self.ctx().attr(AttrData::Raw(s));
            self.ir.op_mut(op).loc = Some(a);
        }
        Ok(())
    }

    /// Reads one type for each value and compares.
    pub(crate) fn types_for(&mut self, c: &mut Cursor<'_>, values: &[(ValueId, Span)]) -> Read<()> {
        for (i, &(v, span)) in values.iter().enumerate() {
            if i > 0 {
                c.expect(ItemKind::Comma)?;
            }
            let at = c.here();
            let ty = self.ty(c)?;
            self.check_type(v, span, ty, at)?;
        }
        Ok(())
    }
}

/// An upstream operation while it is read.
pub(crate) struct Built<'t> {
    pub(crate) node: &'t OpNode,
    pub(crate) kind: OpKind,
    pub(crate) block: BlockId,
    pub(crate) op: Option<OpId>,
}

pub(crate) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("one {what}"),
        n => format!("{n} {what}s"),
    }
}

pub(crate) fn plural(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}
