//! The interners: strings, types, attributes.

use crate::strings::Strings;
use crate::types::{FloatKind, Signedness, TypeData};
use crate::{AttrData, AttrId, DialectType, Sym, TypeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Types every context has, at fixed handles.
pub mod builtin {
    use crate::TypeId;

    /// `index`
    pub const INDEX: TypeId = TypeId::from_index(0);
    /// `none`
    pub const NONE: TypeId = TypeId::from_index(1);
    /// `i1`
    pub const I1: TypeId = TypeId::from_index(2);
    /// `i8`
    pub const I8: TypeId = TypeId::from_index(3);
    /// `i16`
    pub const I16: TypeId = TypeId::from_index(4);
    /// `i32`
    pub const I32: TypeId = TypeId::from_index(5);
    /// `i64`
    pub const I64: TypeId = TypeId::from_index(6);
    /// `f16`
    pub const F16: TypeId = TypeId::from_index(7);
    /// `bf16`
    pub const BF16: TypeId = TypeId::from_index(8);
    /// `f32`
    pub const F32: TypeId = TypeId::from_index(9);
    /// `f64`
    pub const F64: TypeId = TypeId::from_index(10);
}

/// Owner of every interned string, type and attribute of a module.
#[derive(Debug)]
pub struct Context {
    strings: Strings,
    types: IndexSet<TypeData, FxBuildHasher>,
    attrs: IndexSet<AttrData, FxBuildHasher>,
}

impl Default for Context {
    fn default() -> Self {
        let mut types = IndexSet::default();
        let int = |width| TypeData::Integer { width, sign: Signedness::Signless };
        types.insert(TypeData::Index);
        types.insert(TypeData::None);
        for width in [1, 8, 16, 32, 64] {
            types.insert(int(width));
        }
        for kind in [FloatKind::F16, FloatKind::BF16, FloatKind::F32, FloatKind::F64] {
            types.insert(TypeData::Float(kind));
        }
        let mut strings = Strings::default();
        strings.intern("");
        Context { strings, types, attrs: IndexSet::default() }
    }
}

impl Context {
    /// The empty string.
    pub const EMPTY: Sym = Sym::from_index(0);

    /// Makes room for that many more strings.
    pub fn reserve_strings(&mut self, strings: usize) {
        self.strings.reserve(strings);
    }

    /// Interns a string.
    pub fn sym(&mut self, text: &str) -> Sym {
        self.strings.intern(text)
    }

    /// The handle of a string that was interned before.
    pub fn find_sym(&self, text: &str) -> Option<Sym> {
        self.strings.find(text)
    }

    /// The text behind a handle.
    pub fn str(&self, sym: Sym) -> &str {
        self.strings.get(sym)
    }

    /// Interns a type.
    pub fn ty(&mut self, data: TypeData) -> TypeId {
        TypeId::from_index(self.types.insert_full(data).0)
    }

    /// Interns a dialect type.
    pub fn dialect_ty(&mut self, ty: impl DialectType) -> TypeId {
        self.ty(TypeData::Dialect(Box::new(ty)))
    }

    /// The data behind a type handle.
    pub fn type_data(&self, id: TypeId) -> &TypeData {
        self.types.get_index(id.index()).unwrap_or(&TypeData::None)
    }

    /// The structure of a dialect type, when it is of that Rust type.
    pub fn type_as<T: 'static>(&self, id: TypeId) -> Option<&T> {
        match self.type_data(id) {
            TypeData::Dialect(d) => d.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// Number of interned types; handles below it are valid.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// `iN`
    pub fn int(&mut self, width: u32) -> TypeId {
        self.ty(TypeData::Integer { width, sign: Signedness::Signless })
    }

    /// A builtin float.
    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.ty(TypeData::Float(kind))
    }

    /// `(params) -> results`
    pub fn function(&mut self, params: &[TypeId], results: &[TypeId]) -> TypeId {
        self.ty(TypeData::Function { params: params.into(), results: results.into() })
    }

    /// Interns an attribute.
    pub fn attr(&mut self, data: AttrData) -> AttrId {
        AttrId::from_index(self.attrs.insert_full(data).0)
    }

    /// The data behind an attribute handle.
    pub fn attr_data(&self, id: AttrId) -> &AttrData {
        const UNIT: AttrData = AttrData::Unit;
        self.attrs.get_index(id.index()).unwrap_or(&UNIT)
    }

    /// `value : ty`
    pub fn int_attr(&mut self, value: i128, ty: TypeId) -> AttrId {
        self.attr(AttrData::Integer { value, ty })
    }

    /// `"text"`
    pub fn str_attr(&mut self, text: &str) -> AttrId {
        let s = self.sym(text);
        self.attr(AttrData::String(s))
    }

    /// `#dialect.kind<body>` or `#dialect<kind body>`
    pub fn dialect_attr(&mut self, dialect: &str, kind: &str, body: &str, spaced: bool) -> AttrId {
        let (dialect, kind, body) = (self.sym(dialect), self.sym(kind), self.sym(body));
        self.attr(AttrData::Dialect { dialect, kind, body, spaced })
    }
}
