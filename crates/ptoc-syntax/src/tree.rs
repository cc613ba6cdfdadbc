//! The syntax tree: flat arenas, 32-bit handles, spans instead of text.

use ptoc_source::Span;

/// Handle of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub(crate) u32);

/// Handle of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub(crate) u32);

/// Handle of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub(crate) u32);

macro_rules! ranges {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            pub(crate) first: u32,
            pub(crate) len: u32,
        }

        impl $name {
            /// No elements.
            pub const EMPTY: Self = Self { first: 0, len: 0 };

            /// Number of elements.
            pub const fn len(self) -> usize {
                self.len as usize
            }

            /// True without elements.
            pub const fn is_empty(self) -> bool {
                self.len == 0
            }

            pub(crate) fn of<T>(self, arena: &[T]) -> &[T] {
                let first = self.first as usize;
                arena.get(first..first + self.len as usize).unwrap_or(&[])
            }
        }
    )*};
}

ranges! {
    /// Neighbouring results.
    ResultRange;
    /// The operations of a block, in order.
    OpRange;
    /// The blocks of a region, in order.
    BlockRange;
    /// The regions of an operation, in order.
    RegionRange;
}

impl OpRange {
    /// The handles.
    pub fn ids(self) -> impl DoubleEndedIterator<Item = OpId> + ExactSizeIterator {
        (self.first..self.first + self.len).map(OpId)
    }
}

impl BlockRange {
    /// The handles.
    pub fn ids(self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator {
        (self.first..self.first + self.len).map(BlockId)
    }
}

/// Neighbouring items with all that lies inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemRange {
    pub(crate) first: u32,
    /// Number of nodes, those inside groups included.
    pub(crate) len: u32,
}

impl ItemRange {
    /// No items.
    pub const EMPTY: Self = Self { first: 0, len: 0 };

    /// True without items.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// What an [`Item`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// `%x`, `%x#1`.
    Value,
    /// A bare word, maybe with dots or dashes: `ins`, `f32`, `pto.device-spec`.
    Word,
    /// A string with its quotes.
    Str,
    /// `12`, `-3`, `0xFF`.
    Int,
    /// `1.0`, `-2.5e+00`.
    Float,
    /// `@f`, `@"f"`, `@a::@b`.
    Symbol,
    /// `^bb1` as an operand.
    Block,
    /// A whole type with its parameters: `!pto.tile_buf<...>`, `!alias`, `vector<4xf32>`. Not in [`crate::parse_items`].
    Type,
    /// A whole attribute with its parameters: `#pto.kind<v>`, `#alias`, `dense<...>`. Not in [`crate::parse_items`].
    Attr,
    /// `!pto.tile_buf` without its parameters; only in [`crate::parse_items`].
    BangWord,
    /// `#pto.kind` without its parameters; only in [`crate::parse_items`].
    HashWord,
    /// The `x` of a dimension list.
    Cross,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `->`
    Arrow,
    /// `=`
    Equal,
    /// `?`
    Question,
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `-` that begins no number.
    Minus,
    /// `...`
    Ellipsis,
    /// `|`
    Pipe,
    /// `( ... )`; has children.
    Paren,
    /// `[ ... ]`; has children.
    Bracket,
    /// `{ ... }` like a dictionary; has children.
    Brace,
    /// `< ... >` that belongs to no type or attribute; has children.
    Angle,
    /// `{ ... }` of statements; see [`Item::region`].
    Region,
}

impl ItemKind {
    /// The kind in the words of a message: ``a value``, `` `,` ``.
    pub const fn describe(self) -> &'static str {
        match self {
            ItemKind::Value => "a value",
            ItemKind::Word => "a word",
            ItemKind::Str => "a string",
            ItemKind::Int => "an integer",
            ItemKind::Float => "a float",
            ItemKind::Symbol => "a symbol",
            ItemKind::Block => "a block",
            ItemKind::Type | ItemKind::BangWord => "a type",
            ItemKind::Attr | ItemKind::HashWord => "an attribute",
            ItemKind::Cross => "`x`",
            ItemKind::Comma => "`,`",
            ItemKind::Colon => "`:`",
            ItemKind::Arrow => "`->`",
            ItemKind::Equal => "`=`",
            ItemKind::Question => "`?`",
            ItemKind::Star => "`*`",
            ItemKind::Plus => "`+`",
            ItemKind::Minus => "`-`",
            ItemKind::Ellipsis => "`...`",
            ItemKind::Pipe => "`|`",
            ItemKind::Paren => "a group `(...)`",
            ItemKind::Bracket => "a list `[...]`",
            ItemKind::Brace => "a dictionary `{...}`",
            ItemKind::Angle => "a group `<...>`",
            ItemKind::Region => "a region",
        }
    }
}

/// How an item is kept: all items of a text lie in one list, a group in front of what is inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    /// A group: the number of nodes inside. A region: its handle. Anything else: 0.
    pub(crate) link: u32,
    pub(crate) kind: ItemKind,
}

impl Node {
    /// Number of nodes inside.
    fn inside(&self) -> usize {
        if self.kind == ItemKind::Region { 0 } else { self.link as usize }
    }
}

/// One piece of a statement after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Its text; a group's span holds its brackets.
    pub span: Span,
    /// The number of its node.
    at: u32,
    link: u32,
}

impl Item {
    /// The items inside a group; empty for anything else.
    pub fn children(self) -> ItemRange {
        match self.kind {
            ItemKind::Region => ItemRange::EMPTY,
            _ => ItemRange { first: self.at + 1, len: self.link },
        }
    }

    /// The item alone.
    pub fn range(self) -> ItemRange {
        ItemRange { first: self.at, len: 1 + self.children().len }
    }

    /// The region of a [`ItemKind::Region`].
    pub fn region(self) -> Option<RegionId> {
        (self.kind == ItemKind::Region).then_some(RegionId(self.link))
    }
}

/// A list of items, from its first one on; iterating does not go into groups.
#[derive(Debug, Clone, Copy, Default)]
pub struct Items<'t> {
    nodes: &'t [Node],
    /// The number of the first node.
    at: u32,
}

impl Items<'_> {
    /// The first item.
    pub fn first(&self) -> Option<Item> {
        let node = self.nodes.first()?;
        Some(Item { kind: node.kind, span: node.span, at: self.at, link: node.link })
    }

    /// What the first item is.
    pub fn first_kind(&self) -> Option<ItemKind> {
        self.nodes.first().map(|n| n.kind)
    }

    /// The list without its first item; an empty list stays empty.
    #[must_use]
    pub fn rest(self) -> Self {
        let Some(node) = self.nodes.first() else { return self };
        let skip = 1 + node.inside();
        Items { nodes: self.nodes.get(skip..).unwrap_or(&[]), at: self.at + skip as u32 }
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let item = self.first()?;
        *self = self.rest();
        Some(item)
    }
}

/// A statement: `results = name items`.
#[derive(Debug, Clone, Copy)]
pub struct OpNode {
    /// From the first result (or the name) to the last item.
    pub span: Span,
    /// The operation's name; for a quoted name the text inside the quotes.
    pub name: Span,
    /// True for the generic form, `"pto.tadd"(...)`.
    pub quoted: bool,
    /// What is left of `=`.
    pub results: ResultRange,
    /// What follows the name.
    pub items: ItemRange,
    /// The regions among the items, those inside `({...})` included.
    pub regions: RegionRange,
}

/// `%x` or `%x:2` left of `=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultNode {
    /// The name with its `%`.
    pub span: Span,
    /// How many values it names; 1 unless a pack.
    pub count: u32,
}

/// `{ blocks }`.
#[derive(Debug, Clone, Copy)]
pub struct RegionNode {
    /// With its braces.
    pub span: Span,
    /// An empty region has no block; an entry block without label and operations is left out.
    pub blocks: BlockRange,
}

/// A block of statements.
#[derive(Debug, Clone, Copy)]
pub struct BlockNode {
    /// From the label or first operation to the last operation.
    pub span: Span,
    /// `^name`, or [`Span::NONE`] for an entry block without a label.
    pub label: Span,
    /// The items inside `^bb0( ... )`.
    pub args: ItemRange,
    /// The operations.
    pub ops: OpRange,
}

/// `!t = type` or `#a = attribute` at the top of a file.
#[derive(Debug, Clone, Copy)]
pub struct AliasNode {
    /// All of it.
    pub span: Span,
    /// The name with its `!` or `#`.
    pub name: Span,
    /// What follows the `=`.
    pub items: ItemRange,
}

/// The syntax of one text.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub(crate) ops: Vec<OpNode>,
    pub(crate) items: Vec<Node>,
    pub(crate) results: Vec<ResultNode>,
    pub(crate) regions: Vec<RegionNode>,
    pub(crate) region_refs: Vec<RegionId>,
    pub(crate) blocks: Vec<BlockNode>,
    pub(crate) aliases: Vec<AliasNode>,
    pub(crate) top: OpRange,
    pub(crate) root: ItemRange,
}

impl Default for OpRange {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Tree {
    /// The tree of a text that is no more than items.
    pub(crate) fn of_items(items: Vec<Node>) -> Self {
        let root = ItemRange { first: 0, len: items.len() as u32 };
        Tree { items, root, ..Tree::default() }
    }

    /// The statements at the top of the file.
    pub fn top(&self) -> OpRange {
        self.top
    }

    /// The items of a text read by [`crate::parse_items`].
    pub fn root(&self) -> ItemRange {
        self.root
    }

    /// The alias definitions, in order.
    pub fn aliases(&self) -> &[AliasNode] {
        &self.aliases
    }

    /// The operation behind a handle of this tree.
    pub fn op(&self, id: OpId) -> &OpNode {
        &self.ops[id.0 as usize]
    }

    /// The operations of a range.
    pub fn ops(&self, range: OpRange) -> &[OpNode] {
        range.of(&self.ops)
    }

    /// The items of a range.
    pub fn items(&self, range: ItemRange) -> Items<'_> {
        let first = range.first as usize;
        Items { nodes: self.items.get(first..first + range.len as usize).unwrap_or(&[]), at: range.first }
    }

    /// The items inside a group.
    pub fn children(&self, item: Item) -> Items<'_> {
        self.items(item.children())
    }

    /// The results of a range.
    pub fn results(&self, range: ResultRange) -> &[ResultNode] {
        range.of(&self.results)
    }

    /// The regions of a range.
    pub fn regions(&self, range: RegionRange) -> &[RegionId] {
        range.of(&self.region_refs)
    }

    /// The region behind a handle of this tree.
    pub fn region(&self, id: RegionId) -> &RegionNode {
        &self.regions[id.0 as usize]
    }

    /// The block behind a handle of this tree.
    pub fn block(&self, id: BlockId) -> &BlockNode {
        &self.blocks[id.0 as usize]
    }

    /// The blocks of a range.
    pub fn blocks(&self, range: BlockRange) -> &[BlockNode] {
        range.of(&self.blocks)
    }

    /// Number of operations, those in regions included.
    pub fn op_count(&self) -> usize {
        self.ops.len()
    }

    /// Number of results that all operations name.
    pub fn result_count(&self) -> usize {
        self.results.len()
    }

    /// Number of regions.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }

    /// Gives back the room that was made for more.
    pub(crate) fn shrink(&mut self) {
        self.ops.shrink_to_fit();
        self.items.shrink_to_fit();
        self.results.shrink_to_fit();
    }

    /// All operations, in no useful order.
    pub fn all_ops(&self) -> &[OpNode] {
        &self.ops
    }
}
