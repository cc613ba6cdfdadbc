//! All op kinds: the table entries first, in table order, then the upstream operations.

use crate::asm::{Format, Formats, print_table};
use crate::table::{self, Arity, OpDef};
use crate::upstream::{self, Upstream};
use ptoc_ir::{OpInfo, OpKind, Registry, Traits};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Everything that is known about operations.
#[derive(Debug)]
pub struct Dialects {
    registry: Registry,
    defs: Vec<&'static OpDef>,
    formats: Formats,
    upstream: Vec<&'static Upstream>,
    names: FxHashMap<&'static str, Named>,
}

/// What an operation name in a text means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// An instruction of the table.
    Table(OpKind),
    /// The sync-form mnemonic of a table entry.
    Mnemonic(OpKind),
    /// An operation of another dialect.
    Upstream(OpKind),
    /// Nothing.
    Unknown,
}

/// Words without a dialect prefix that are upstream operations.
const SHORT: [(&str, &str); 3] = [("module", "builtin.module"), ("return", "func.return"), ("call", "func.call")];

/// Every name that a text may use for an operation.
fn names(registry: &Registry, defs: &[&'static OpDef]) -> FxHashMap<&'static str, Named> {
    let mut names = FxHashMap::default();
    for (i, info) in registry.infos().iter().enumerate() {
        let kind = OpKind(i as u16);
        let table = defs.get(i);
        names.insert(info.name, if table.is_some() { Named::Table(kind) } else { Named::Upstream(kind) });
        if let Some(mnemonic) = info.name.strip_prefix("pto.").filter(|_| table.is_some_and(|d| d.has_value_form())) {
            names.entry(mnemonic).or_insert(Named::Mnemonic(kind));
        }
    }
    for (word, full) in SHORT {
        if let Some(&named) = names.get(full) {
            names.insert(word, named);
        }
    }
    names
}

static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| {
    let mut registry = Registry::default();
    let mut defs = Vec::new();
    for def in table::all() {
        let segmented = def.is_tile_instruction() || def.operands.iter().any(|o| o.arity != Arity::One);
        let traits = if segmented { def.traits.and(Traits::SEGMENTED) } else { def.traits };
        let print = (!def.asm.is_empty()).then_some(print_table as ptoc_ir::PrintFn);
        registry.add(OpInfo { name: def.name, traits, generic_regions: 0, properties: None, print });
        defs.push(def);
    }
    let mut ups = Vec::new();
    for u in upstream::ALL.iter().copied().flatten() {
        registry.add(OpInfo {
            name: u.name,
            traits: u.traits,
            generic_regions: u.generic_regions,
            properties: u.properties,
            print: Some(u.print),
        });
        ups.push(u);
    }
    let formats = Formats::new(defs.len());
    let names = names(&registry, &defs);
    Dialects { registry, defs, formats, upstream: ups, names }
});

impl Dialects {
    /// The one instance.
    pub fn get() -> &'static Dialects {
        &DIALECTS
    }

    /// The op kinds.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The table entry of a kind.
    pub fn def(&self, kind: OpKind) -> Option<&'static OpDef> {
        self.defs.get(kind.index()).copied()
    }

    /// The table entry of that name: full (`pto.tinsert`), or the sync-form mnemonic (`tinsert`).
    pub fn def_by_name(&self, name: &str) -> Option<&'static OpDef> {
        self.kind(name).and_then(|k| self.def(k))
    }

    /// The kind of that full name or sync-form mnemonic.
    pub fn kind(&self, name: &str) -> Option<OpKind> {
        self.registry.find(name).or_else(|| {
            let full = format!("pto.{name}");
            self.registry.find(&full)
        })
    }

    /// What a name in a text means.
    pub(crate) fn named(&self, name: &str) -> Named {
        self.names.get(name).copied().unwrap_or(Named::Unknown)
    }

    /// All table entries in table order.
    pub fn defs(&self) -> &[&'static OpDef] {
        &self.defs
    }

    pub(crate) fn format(&self, kind: OpKind) -> Option<&Format> {
        self.formats.get(kind.index(), self.defs.get(kind.index())?)
    }

    pub(crate) fn upstream(&self, kind: OpKind) -> Option<&'static Upstream> {
        self.upstream.get(kind.index().checked_sub(self.defs.len())?).copied()
    }
}

/// The kind of a registered name; [`OpKind::UNREGISTERED`] for others.
///
/// For code that makes operations by name: look the kind up once and keep it.
pub fn kind(name: &str) -> OpKind {
    Dialects::get().registry().find(name).unwrap_or(OpKind::UNREGISTERED)
}

/// The table entry of an op kind.
pub fn def(kind: OpKind) -> Option<&'static OpDef> {
    Dialects::get().def(kind)
}
