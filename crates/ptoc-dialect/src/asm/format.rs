//! Format strings, compiled once for each op on first use.

use super::value_form::ValueForm;
use crate::table::{Arity, OpDef};
use std::sync::OnceLock;

/// How an attribute value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Enumerations as `<word>`, the rest as a literal.
    Plain,
    /// Bare word.
    Word,
    /// Quoted string.
    Str,
    /// Full attribute.
    Attr,
}

/// A kind of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Paren,
    Square,
    Angle,
}

/// A fixed token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lit {
    Comma,
    Colon,
    Arrow,
    Equal,
    Word(Box<str>),
    /// Any of the words; the first is printed.
    OneOf(Box<[Box<str>]>),
}

/// One element of a compiled format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Elem {
    /// Comma-separated operands, by operand index.
    List(Box<[u8]>),
    /// Types of the operands of the lists since the previous one, by operand index.
    Types(Box<[u8]>),
    /// Types of one operand.
    OperandType(u8),
    /// Types of one result.
    ResultType(u8),
    /// Types of all results with commas.
    Results,
    /// Types of all results as `T` or `(T, T)`.
    ResultsParen,
    /// Attribute value, by attribute index.
    Attr(u8, Spelling),
    /// Sets a unit attribute.
    SetUnit(u8),
    /// Sets an attribute to a word; printing needs it to have that word.
    SetWord(u8, Box<str>),
    /// Attribute dictionary.
    Dict,
    /// Next region.
    Region,
    /// Fixed token.
    Lit(Lit),
    /// `{k = @x, l = @y}`: attributes by key in any order; absent ones are not printed.
    Keyed(Box<[(Box<str>, u8, Spelling)]>),
    /// Bracketed group.
    Group(Bracket, Box<[Elem]>),
    /// Present or absent as a whole.
    Opt(Box<[Elem]>),
    /// Any number of times; each pass has one value of every operand in it.
    Repeat(Box<[Elem]>),
}

/// A compiled format: alternatives, each a sequence.
#[derive(Debug, Default)]
pub(crate) struct Format {
    pub(crate) alternatives: Vec<Box<[Elem]>>,
    /// The SSA and sync forms, when the op has them.
    pub(crate) value_form: Option<ValueForm>,
}

/// A slip in a format string. Formats are constants, so a unit test finds every one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Which entry.
    pub op: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Format {
    pub(crate) fn compile(def: &'static OpDef) -> Result<Format, FormatError> {
        let mut format = Format::default();
        if def.asm.is_empty() {
            return Ok(format);
        }
        for text in def.asm.split("||") {
            let mut c = Compiler { def, rest: text.trim(), pending: Vec::new(), repeated: false };
            let seq = c.sequence(None)?;
            format.alternatives.push(seq);
        }
        format.value_form = ValueForm::of(def, &format);
        Ok(format)
    }
}

/// Checks that an entry's format compiles.
///
/// # Errors
/// The slip in the format.
pub fn check_format(def: &'static OpDef) -> Result<(), FormatError> {
    Format::compile(def).map(drop)
}

/// The compiled formats of all ops of a table, filled on first use.
#[derive(Debug)]
pub(crate) struct Formats {
    cells: Vec<OnceLock<Format>>,
}

impl Formats {
    pub(crate) fn new(count: usize) -> Self {
        Formats { cells: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// The format of the entry at `index`; an entry whose format does not compile has only the generic form.
    pub(crate) fn get(&self, index: usize, def: &'static OpDef) -> Option<&Format> {
        Some(self.cells.get(index)?.get_or_init(|| Format::compile(def).unwrap_or_default()))
    }
}

struct Compiler {
    def: &'static OpDef,
    rest: &'static str,
    pending: Vec<u8>,
    /// Inside a repeated group.
    repeated: bool,
}

impl Compiler {
    fn err<T>(&self, message: impl Into<String>) -> Result<T, FormatError> {
        Err(FormatError { op: self.def.name, message: message.into() })
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(r) => {
                self.rest = r;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'static str {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')))
            .unwrap_or(self.rest.len());
        let (w, r) = self.rest.split_at(end);
        self.rest = r;
        w
    }

    fn operand(&mut self) -> Result<u8, FormatError> {
        let name = self.word();
        match self.def.operand_index(name) {
            Some(i) => Ok(i as u8),
            None => self.err(format!("no operand `{name}`")),
        }
    }

    fn attr(&mut self) -> Result<u8, FormatError> {
        let name = self.word();
        match self.def.attrs.iter().position(|a| a.name == name) {
            Some(i) => Ok(i as u8),
            None => self.err(format!("no attribute `{name}`")),
        }
    }

    fn group(&mut self, bracket: Bracket, close: &'static str) -> Result<Elem, FormatError> {
        Ok(Elem::Group(bracket, self.sequence(Some(close))?))
    }

    fn sequence(&mut self, close: Option<&'static str>) -> Result<Box<[Elem]>, FormatError> {
        let mut out: Vec<Elem> = Vec::new();
        loop {
            self.skip_space();
            if let Some(c) = close
                && self.eat(c)
            {
                break;
            }
            if self.rest.is_empty() {
                match close {
                    Some(c) => return self.err(format!("missing `{c}`")),
                    None => break,
                }
            }
            let elem = if self.eat("?{") {
                Elem::Opt(self.sequence(Some("}"))?)
            } else if self.eat("*{") {
                self.repeated = true;
                let inner = self.sequence(Some("}"))?;
                self.repeated = false;
                Elem::Repeat(inner)
            } else if self.eat("{}") {
                Elem::Dict
            } else if self.eat("{") {
                self.keyed()?
            } else if self.eat("T*") {
                if self.pending.is_empty() {
                    return self.err("`T*` without operands before it");
                }
                Elem::Types(std::mem::take(&mut self.pending).into())
            } else if self.eat("R*") {
                Elem::Results
            } else if self.eat("R()") {
                Elem::ResultsParen
            } else if self.eat("T(") {
                let name = self.word();
                let elem = match self.def.operand_index(name) {
                    Some(i) => {
                        self.pending.retain(|&p| p != i as u8);
                        Elem::OperandType(i as u8)
                    }
                    None => match self.def.results.iter().position(|r| r.name == name) {
                        Some(i) => Elem::ResultType(i as u8),
                        None => return self.err(format!("no operand or result `{name}`")),
                    },
                };
                if !self.eat(")") {
                    return self.err("missing `)` after `T(`");
                }
                elem
            } else if self.eat("%") {
                self.list()?
            } else if self.eat("@") {
                let i = self.attr()?;
                if self.eat("=") {
                    Elem::SetWord(i, self.word().into())
                } else if self.eat(":word") {
                    Elem::Attr(i, Spelling::Word)
                } else if self.eat(":str") {
                    Elem::Attr(i, Spelling::Str)
                } else if self.eat(":attr") {
                    Elem::Attr(i, Spelling::Attr)
                } else {
                    Elem::Attr(i, Spelling::Plain)
                }
            } else if self.eat("!") {
                Elem::SetUnit(self.attr()?)
            } else if self.eat("$") {
                Elem::Region
            } else if self.eat("->") {
                Elem::Lit(Lit::Arrow)
            } else if self.eat("(") {
                self.group(Bracket::Paren, ")")?
            } else if self.eat("[") {
                self.group(Bracket::Square, "]")?
            } else if self.eat("<") {
                self.group(Bracket::Angle, ">")?
            } else if self.eat(",") {
                Elem::Lit(Lit::Comma)
            } else if self.eat(":") {
                Elem::Lit(Lit::Colon)
            } else if self.eat("=") {
                Elem::Lit(Lit::Equal)
            } else {
                let w = self.word();
                if w.is_empty() {
                    return self.err(format!("unexpected `{}`", self.rest));
                }
                if !self.eat("/") {
                    Elem::Lit(Lit::Word(w.into()))
                } else {
                    let mut words: Vec<Box<str>> = vec![w.into(), self.word().into()];
                    while self.eat("/") {
                        words.push(self.word().into());
                    }
                    Elem::Lit(Lit::OneOf(words.into()))
                }
            };
            out.push(elem);
        }
        Ok(out.into())
    }

    /// `k = @x, l = @y}`, the brace already eaten.
    fn keyed(&mut self) -> Result<Elem, FormatError> {
        let mut out: Vec<(Box<str>, u8, Spelling)> = Vec::new();
        let inner = self.sequence(Some("}"))?;
        let mut rest = inner.iter();
        loop {
            match (rest.next(), rest.next(), rest.next()) {
                (Some(Elem::Lit(Lit::Word(k))), Some(Elem::Lit(Lit::Equal)), Some(&Elem::Attr(i, s))) => {
                    out.push((k.clone(), i, s));
                }
                _ => return self.err("a brace group is a list of `key = @attribute`"),
            }
            match rest.next() {
                None => return Ok(Elem::Keyed(out.into())),
                Some(Elem::Lit(Lit::Comma)) => {}
                Some(_) => return self.err("missing `,` in a brace group"),
            }
        }
    }

    /// `%a, %b, %c`, the first `%` already eaten.
    fn list(&mut self) -> Result<Elem, FormatError> {
        let mut items = vec![self.operand()?];
        loop {
            let before = self.rest;
            self.skip_space();
            if self.eat(",") {
                self.skip_space();
                if self.eat("%") {
                    items.push(self.operand()?);
                    continue;
                }
            }
            self.rest = before;
            break;
        }
        let variadic = items.iter().filter(|&&i| self.def.operands[i as usize].arity == Arity::Variadic).count();
        if self.repeated {
            if variadic != items.len() {
                return self.err("a repeated group holds variadic operands only");
            }
        } else if variadic > 1 {
            return self.err("two variadic operands in one list");
        }
        self.pending.extend_from_slice(&items);
        Ok(Elem::List(items.into()))
    }
}
