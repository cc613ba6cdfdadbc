//! Who uses a value. Computed on demand; it is not kept up to date.

use crate::{Ir, OpId, ValueId, Walk, walk};

/// One use of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The user.
    pub op: OpId,
    /// Index in the op's operands; `None` when a successor passes the value on.
    pub operand: Option<u32>,
}

/// All uses of all values, in program order.
#[derive(Debug)]
pub struct Uses {
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    /// Collects the uses of every placed op. Linear in the program.
    pub fn compute(ir: &Ir) -> Self {
        let mut pairs: Vec<(ValueId, Use)> = Vec::new();
        walk(ir, ir.top(), &mut |op| {
            let data = ir.op(op);
            for (i, &v) in data.operands.iter().enumerate() {
                pairs.push((v, Use { op, operand: Some(i as u32) }));
            }
            for s in &data.successors {
                pairs.extend(s.args.iter().map(|&v| (v, Use { op, operand: None })));
            }
            Walk::Into
        });
        let mut starts = vec![0u32; ir.value_count() + 1];
        for (v, _) in &pairs {
            starts[v.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut at = starts.clone();
        let mut uses = vec![Use { op: OpId::from_index(0), operand: None }; pairs.len()];
        for (v, u) in pairs {
            uses[at[v.index()] as usize] = u;
            at[v.index()] += 1;
        }
        Uses { starts, uses }
    }

    /// The uses of a value.
    pub fn of(&self, value: ValueId) -> &[Use] {
        match (self.starts.get(value.index()), self.starts.get(value.index() + 1)) {
            (Some(&a), Some(&b)) => &self.uses[a as usize..b as usize],
            _ => &[],
        }
    }

    /// True when nobody uses the value.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.of(value).is_empty()
    }
}

impl Ir {
    /// Replaces values everywhere: `map(v)` gives the replacement of `v`, or `None` to keep it. Linear in the program.
    pub fn replace_values(&mut self, map: impl Fn(ValueId) -> Option<ValueId>) {
        let mut ops = Vec::new();
        walk(self, self.top(), &mut |op| {
            ops.push(op);
            Walk::Into
        });
        for op in ops {
            let data = self.op_mut(op);
            let succ = data.successors.iter_mut().flat_map(|s| s.args.iter_mut());
            for v in data.operands.iter_mut().chain(succ) {
                if let Some(new) = map(*v) {
                    *v = new;
                }
            }
        }
    }
}
