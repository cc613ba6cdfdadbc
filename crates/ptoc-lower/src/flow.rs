//! Loops and branches whose counts and conditions may be known.

use crate::{Cond, Em, Sc};
use ptoc_ir::{ValueId, builtin};

impl Em<'_> {
    /// Runs `body` for `0 <= iv < count`: nothing for no iteration, in place for one, a loop otherwise.
    pub fn for_loop(&mut self, count: impl Into<Sc>, body: impl FnOnce(&mut Self, Sc)) {
        self.for_carry(count, &[], |em, iv, _| {
            body(em, iv);
            Vec::new()
        });
    }

    /// As [`Em::for_loop`], carrying values from one iteration to the next. Gives the values after the last one.
    pub fn for_carry(
        &mut self,
        count: impl Into<Sc>,
        init: &[ValueId],
        body: impl FnOnce(&mut Self, Sc, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let count = count.into();
        match count {
            Sc::Const(n) if n <= 0 => return init.to_vec(),
            Sc::Const(1) => return body(self, Sc::Const(0), init),
            _ => {}
        }
        let (zero, one) = (self.index(0), self.index(1));
        let upper = self.index(count);
        let types: Vec<_> = init.iter().map(|&v| self.ir.value_type(v)).collect();
        let mut build = self.build("scf.for").args(&[zero, upper, one]).args(init);
        for &ty in &types {
            build = build.result(ty);
        }
        let op = build.done();
        let mut args = vec![builtin::INDEX];
        args.extend(&types);
        let block = self.body_of(op, &args);
        let args = self.ir.block(block).args.clone();
        self.in_block(block, |em| {
            let (iv, carried) = (Sc::Value(args[0]), &args[1..]);
            let next = body(em, iv, carried);
            em.build("scf.yield").args(&next).done();
        });
        self.ir.op(op).results.to_vec()
    }

    /// Runs `body` when the condition holds.
    pub fn if_then(&mut self, cond: Cond, body: impl FnOnce(&mut Self)) {
        match cond {
            Cond::Const(true) => body(self),
            Cond::Const(false) => {}
            Cond::Value(c) => {
                let op = self.build("scf.if").arg(c).done();
                let block = self.body_of(op, &[]);
                self.in_block(block, |em| {
                    body(em);
                    em.emit("scf.yield", &[]);
                });
            }
        }
    }

    /// Runs one of two bodies.
    pub fn if_else(&mut self, cond: Cond, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        match cond {
            Cond::Const(true) => yes(self),
            Cond::Const(false) => no(self),
            Cond::Value(c) => {
                let op = self.build("scf.if").arg(c).done();
                for body in [Box::new(yes) as Box<dyn FnOnce(&mut Self)>, Box::new(no)] {
                    let block = self.body_of(op, &[]);
                    self.in_block(block, |em| {
                        body(em);
                        em.emit("scf.yield", &[]);
                    });
                }
            }
        }
    }
}
