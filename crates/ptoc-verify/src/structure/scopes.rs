//! Definitions come before uses.

use crate::codes;
use crate::walk::Walker;
use ptoc_ir::{Dominance, Ir, OpId, ValueDef, ValueId};
use ptoc_source::Diagnostic;

/// Which values are visible at the place where the walk stands.
///
/// Values of regions with one block are marked as the walk passes them; the scope of each is open while the walk is inside the
/// region. Everything else is asked of [`Dominance`].
#[derive(Debug)]
pub(crate) struct Scopes {
    /// Scope of each value that the walk has passed; 0 for others.
    of: Vec<u32>,
    /// Whether each scope is open.
    open: Vec<bool>,
    current: u32,
    /// First scope inside the innermost isolated op.
    floor: u32,
    slow: Dominance,
}

/// Where to return to on leaving a scope.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    current: u32,
    floor: u32,
}

impl Scopes {
    pub(crate) fn new(ir: &Ir) -> Scopes {
        Scopes { of: vec![0; ir.value_count()], open: vec![false, true], current: 1, floor: 1, slow: Dominance::new() }
    }

    pub(crate) fn enter(&mut self, isolated: bool) -> Mark {
        let mark = Mark { current: self.current, floor: self.floor };
        self.current = self.open.len() as u32;
        self.open.push(true);
        if isolated {
            self.floor = self.current;
        }
        mark
    }

    pub(crate) fn leave(&mut self, mark: Mark) {
        if let Some(o) = self.open.get_mut(self.current as usize) {
            *o = false;
        }
        self.current = mark.current;
        self.floor = mark.floor;
    }

    pub(crate) fn define(&mut self, v: ValueId) {
        if let Some(s) = self.of.get_mut(v.index()) {
            *s = self.current;
        }
    }

    fn sees(&mut self, ir: &Ir, v: ValueId, user: OpId) -> bool {
        match self.of.get(v.index()) {
            Some(&s) if s >= self.floor && self.open.get(s as usize).copied().unwrap_or(false) => true,
            _ => self.slow.dominates(ir, v, user),
        }
    }
}

/// Checks that an op uses only values that are defined before it on every path.
pub(crate) fn dominance(w: &mut Walker<'_>, op: OpId) {
    let ir = w.ir();
    let data = ir.op(op);
    for (i, &v) in data.operands.iter().enumerate() {
        if !w.scopes.sees(ir, v, op) {
            let span = ir.operand_span(op, i);
            w.out.push(not_visible(ir, v, op, span));
        }
    }
    for s in &data.successors {
        for &v in &s.args {
            if !w.scopes.sees(ir, v, op) {
                w.out.push(not_visible(ir, v, op, data.span));
            }
        }
    }
}

fn not_visible(ir: &Ir, v: ValueId, user: OpId, span: ptoc_source::Span) -> Diagnostic {
    let name = ir.ctx.str(ir.value(v).name);
    let shown = if name.is_empty() { "a value".to_owned() } else { format!("`%{name}`") };
    let def = match ir.value(v).def {
        ValueDef::Result(op, _) => Some(op),
        ValueDef::Arg(..) => None,
    };
    // In one block the order of the text is the order of execution.
    let later = def.is_some_and(|d| ir.parent_block(d) == ir.parent_block(user));
    let message = if later {
        format!("{shown} is used before it is defined")
    } else {
        format!("{shown} is used where it is not defined on every path")
    };
    let d = Diagnostic::error(codes::DOMINANCE, span, message)
        .note("a definition must come before its uses, in the same or an enclosing region of the same function");
    let d = match def {
        Some(op) => d.label(ir.op(op).span, if later { "defined only here" } else { "defined here" }),
        None => d,
    };
    d.help(if later {
        "move the definition in front of the use"
    } else {
        "move the definition in front of the use, or pass the value as a block argument or loop value"
    })
}
