//! Runs a program on opaque contents: what an instruction computes is a hash of its name and of what it reads.
//!
//! Buffers are memory that may overlap, values are contents. What is stored to global memory, in order, and what tile arguments
//! hold at the end, is all that can be seen of a program.

use ptoc_dialect::types::{TileForm, tile_of};
use ptoc_dialect::{Dir, def};
use ptoc_ir::{AttrData, BlockId, Form, Ir, OpId, ValueId};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A piece of memory: part `n` of a content.
type Piece = (u64, u64);
const GRANULE: u64 = 32;

/// What can be seen of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    pub stored: Vec<u64>,
    pub arguments: Vec<u64>,
}

fn mix(parts: impl Hash) -> u64 {
    let mut h = DefaultHasher::new();
    parts.hash(&mut h);
    h.finish() | 1
}

struct Machine<'a> {
    ir: &'a Ir,
    memory: HashMap<u64, Piece>,
    /// Start and length in granules of each buffer.
    buffers: HashMap<ValueId, (u64, u64)>,
    contents: HashMap<ValueId, u64>,
    numbers: HashMap<ValueId, i64>,
    next_free: u64,
    garbage: u64,
    /// For each tile argument, the newest value in its storage.
    newest: HashMap<ValueId, ValueId>,
    origin: HashMap<ValueId, ValueId>,
    stored: Vec<u64>,
}

/// Runs the only function of a program. `conditions` are its `i1` arguments in order.
pub fn interpret(ir: &Ir, conditions: &[bool]) -> Seen {
    let func = ir.block_ops(ir.top()).find(|&o| ir.op_name(o) == "func.func").expect("a function");
    let body = ir.body(func, 0).expect("a body");
    let mut m = Machine {
        ir,
        memory: HashMap::new(),
        buffers: HashMap::new(),
        contents: HashMap::new(),
        numbers: HashMap::new(),
        next_free: 1 << 40,
        garbage: 0,
        newest: HashMap::new(),
        origin: HashMap::new(),
        stored: Vec::new(),
    };
    let (mut conditions, mut tiles) = (conditions.iter(), Vec::new());
    for (i, &arg) in ir.block(body).args.iter().enumerate() {
        if m.is_tile(arg) {
            tiles.push(arg);
            m.allocate(arg, None);
            m.put(arg, mix(("argument", i)));
            m.origin.insert(arg, arg);
        } else if ir.ctx.type_string(ir.value_type(arg)) == "i1" {
            m.numbers.insert(arg, i64::from(*conditions.next().unwrap_or(&false)));
        }
    }
    m.block(body);
    let arguments = tiles.iter().map(|&t| m.content(m.newest.get(&t).copied().unwrap_or(t))).collect();
    Seen { stored: m.stored, arguments }
}

impl Machine<'_> {
    fn is_tile(&self, v: ValueId) -> bool {
        tile_of(&self.ir.ctx, self.ir.value_type(v)).is_some()
    }

    fn is_buffer(&self, v: ValueId) -> bool {
        tile_of(&self.ir.ctx, self.ir.value_type(v)).is_some_and(|t| t.form == TileForm::Buffer)
    }

    fn allocate(&mut self, v: ValueId, at: Option<u64>) {
        let t = tile_of(&self.ir.ctx, self.ir.value_type(v)).expect("a tile");
        let len = t.bytes().expect("a size") / GRANULE;
        let start = match at {
            Some(at) => at / GRANULE,
            None => {
                self.next_free += len;
                self.next_free - len
            }
        };
        self.buffers.insert(v, (start, len));
    }

    fn content(&self, v: ValueId) -> u64 {
        if !self.is_buffer(v) {
            return self.contents.get(&v).copied().unwrap_or(0);
        }
        let (start, len) = self.buffers[&v];
        let pieces: Vec<Piece> = (start..start + len).map(|g| self.memory.get(&g).copied().unwrap_or((0, 0))).collect();
        let whole = pieces.iter().enumerate().all(|(n, p)| p.0 == pieces[0].0 && (p.1 == n as u64 || p.0 == 0));
        if whole { pieces[0].0 } else { mix(pieces) }
    }

    fn put(&mut self, v: ValueId, content: u64) {
        if !self.is_buffer(v) {
            self.contents.insert(v, content);
            return;
        }
        let (start, len) = self.buffers[&v];
        for n in 0..len {
            self.memory.insert(start + n, (content, n));
        }
    }

    /// `to` takes over the storage of `from`, as far as the caller sees it.
    fn take_over(&mut self, from: ValueId, to: ValueId) {
        if let Some(&arg) = self.origin.get(&from) {
            self.origin.insert(to, arg);
            self.newest.insert(arg, to);
        }
    }

    fn pass(&mut self, from: ValueId, to: ValueId) {
        if let Some(&n) = self.numbers.get(&from) {
            self.numbers.insert(to, n);
        }
        if self.is_tile(from) {
            assert!(!self.is_buffer(from), "buffers are not carried");
            self.contents.insert(to, self.content(from));
            self.take_over(from, to);
        }
    }

    fn pass_all(&mut self, from: &[ValueId], to: &[ValueId]) {
        // At once: contents first.
        let held: Vec<(Option<i64>, u64, Option<ValueId>)> = from
            .iter()
            .map(|&v| {
                (
                    self.numbers.get(&v).copied(),
                    if self.is_tile(v) { self.content(v) } else { 0 },
                    self.origin.get(&v).copied(),
                )
            })
            .collect();
        for (i, (n, c, o)) in held.into_iter().enumerate() {
            let to = to[i];
            if let Some(n) = n {
                self.numbers.insert(to, n);
            }
            if self.is_tile(to) {
                assert!(!self.is_buffer(to), "buffers are not carried");
                self.contents.insert(to, c);
                match o {
                    Some(arg) => {
                        self.origin.insert(to, arg);
                        if self.newest.get(&arg).copied().unwrap_or(arg) == from[i] {
                            self.newest.insert(arg, to);
                        }
                    }
                    None => drop(self.origin.remove(&to)),
                }
            }
        }
    }

    /// Runs a block; gives the operands of its terminator.
    fn block(&mut self, block: BlockId) -> Vec<ValueId> {
        let ops: Vec<OpId> = self.ir.block_ops(block).collect();
        for op in ops {
            if let Some(out) = self.op(op) {
                return out;
            }
        }
        Vec::new()
    }

    fn op(&mut self, op: OpId) -> Option<Vec<ValueId>> {
        let ir = self.ir;
        let data = ir.op(op);
        let operands: Vec<ValueId> = data.operands.to_vec();
        match ir.op_name(op) {
            "arith.constant" => {
                let n = match ir.attr_data(op, "value") {
                    Some(AttrData::Integer { value, .. }) => *value as i64,
                    Some(AttrData::Bool(b)) => i64::from(*b),
                    _ => 0,
                };
                self.numbers.insert(data.results[0], n);
            }
            "pto.alloc_tile" => {
                let at = ir.operand(op, 0).map(|v| self.numbers[&v] as u64);
                self.allocate(data.results[0], at);
                self.contents.insert(data.results[0], 0);
            }
            "scf.yield" | "func.return" => return Some(operands),
            "scf.if" => {
                let taken = if self.numbers[&operands[0]] != 0 { 0 } else { 1 };
                if let Some(body) = ir.body(op, taken) {
                    let out = self.block(body);
                    self.pass_all(&out, &data.results);
                }
            }
            "scf.for" => {
                let body = ir.body(op, 0).expect("a body");
                let args = ir.block(body).args.clone();
                let (from, to) = (self.numbers[&operands[0]], self.numbers[&operands[1]]);
                let step = self.numbers[&operands[2]];
                let mut carried: Vec<ValueId> = operands[3..].to_vec();
                let mut i = from;
                while i < to {
                    self.pass_all(&carried, &args[1..]);
                    self.numbers.insert(args[0], i);
                    carried = self.block(body);
                    i += step;
                }
                self.pass_all(&carried, &data.results);
            }
            name => self.instruction(op, name),
        }
        None
    }

    fn instruction(&mut self, op: OpId, name: &str) {
        let ir = self.ir;
        let data = ir.op(op);
        let d = def(data.kind).unwrap_or_else(|| panic!("{name}"));
        let mut reads = Vec::new();
        for (n, operand) in d.operands.iter().enumerate() {
            for &v in ir.segment_values(op, n) {
                if self.is_tile(v) && !operand.scratch && operand.dir != Dir::Out {
                    reads.push(self.content(v));
                }
            }
        }
        for (n, operand) in d.operands.iter().enumerate() {
            if operand.scratch {
                for v in ir.segment_values(op, n).to_vec() {
                    self.garbage += 1;
                    if self.is_buffer(v) {
                        self.put(v, mix(("garbage", self.garbage)));
                    }
                }
            }
        }
        if name == "pto.tstore" {
            self.stored.push(reads[0]);
            return;
        }
        // An exact copy is a copy.
        let dests: Vec<(usize, Option<ValueId>)> = d.dests().map(|(n, _)| (n, ir.operand(op, n))).collect();
        for (k, &(_, old)) in dests.iter().enumerate() {
            let content = if name == "pto.tmov" { reads[0] } else { mix((name, &reads, k)) };
            if data.form == Form::Custom {
                if let Some(old) = old {
                    self.put(old, content);
                }
            } else if let Some(&result) = data.results.get(k) {
                self.contents.insert(result, content);
                self.origin.remove(&result);
                if let Some(old) = old {
                    self.take_over(old, result);
                }
            }
        }
    }
}
