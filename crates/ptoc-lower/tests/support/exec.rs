//! Runs lowered code as far as addresses, counts and predicates go: which intrinsics are issued, with which numbers, and
//! which bytes they write. Element values are not computed.

use super::ub;
use ptoc_dialect::types::{VRegType, dtype_of, ptr_of};
use ptoc_ir::{AttrData, BlockId, Ir, OpId, TypeId, ValueId};
use ptoc_target::Loc;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A value at run time.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Int(i64),
    Float(f64),
    Ptr {
        space: Loc,
        addr: i64,
        size: i64,
    },
    Mask(Vec<bool>),
    Reg,
    /// Bytes that an unaligned store has not written yet.
    Align(i64),
}

impl Val {
    pub fn int(&self) -> i64 {
        match self {
            Val::Int(n) => *n,
            v => panic!("{v:?} is no integer"),
        }
    }
}

/// One issued intrinsic.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    pub name: String,
    pub args: Vec<Val>,
    pub attrs: Vec<(String, String)>,
}

impl Issue {
    /// The name with every integer and pointer operand: `vsts ub@64 16`.
    pub fn brief(&self) -> String {
        let mut s = self.name.clone();
        for a in &self.args {
            match a {
                Val::Int(n) => s += &format!(" {n}"),
                Val::Ptr { space, addr, .. } => s += &format!(" {}@{addr}", space.ptr_space()),
                _ => {}
            }
        }
        for (_, v) in &self.attrs {
            s += &format!(" {v}");
        }
        s
    }
}

/// What a run did.
#[derive(Default, Debug)]
pub struct Run {
    pub issues: Vec<Issue>,
    pub written: BTreeMap<&'static str, BTreeSet<i64>>,
}

/// Not instructions: arithmetic of the scalar unit, names of the same bits, structure.
fn is_free(name: &str) -> bool {
    !name.starts_with("pto.")
        || matches!(
            name,
            "pto.castptr" | "pto.addptr" | "pto.vbitcast" | "pto.pbitcast" | "pto.init_align" | "pto.vecscope"
        )
}

impl Run {
    /// Instructions issued. A structured transfer counts as what it stands for: loop registers, pad register, transfer.
    pub fn count(&self) -> usize {
        let weight = |i: &Issue| match i.name.as_str() {
            "mte_gm_ub" => match i.args.len() {
                7 => 1,
                8 => 2,
                n => n - 6,
            },
            "mte_ub_gm" if i.args.len() > 6 => 4,
            "mte_gm_l1_frac" => 2,
            _ => 1,
        };
        self.issues.iter().map(weight).sum()
    }

    pub fn names(&self) -> Vec<&str> {
        self.issues.iter().map(|i| i.name.as_str()).collect()
    }

    pub fn brief(&self) -> Vec<String> {
        self.issues.iter().map(Issue::brief).collect()
    }

    pub fn bytes(&self, space: &str) -> BTreeSet<i64> {
        self.written.get(space).cloned().unwrap_or_default()
    }
}

/// Runs the first function of a program with these arguments.
pub fn run(ir: &Ir, args: &[Val]) -> Run {
    let func = ir.block_ops(ir.top()).find(|&op| ir.op_name(op) == "func.func").expect("a function");
    let entry = ir.body(func, 0).expect("a body");
    let mut exec = Exec { ir, env: HashMap::new(), run: Run::default() };
    let params = &ir.block(entry).args;
    assert_eq!(params.len(), args.len(), "the number of arguments");
    for (&p, a) in params.iter().zip(args) {
        exec.env.insert(p, a.clone());
    }
    exec.block(entry);
    exec.run
}

struct Exec<'i> {
    ir: &'i Ir,
    env: HashMap<ValueId, Val>,
    run: Run,
}

impl Exec<'_> {
    fn get(&self, v: ValueId) -> Val {
        self.env.get(&v).cloned().unwrap_or_else(|| panic!("{v:?} has no value"))
    }

    fn int(&self, v: ValueId) -> i64 {
        self.get(v).int()
    }

    fn set(&mut self, op: OpId, n: usize, v: Val) {
        self.env.insert(self.ir.op(op).results[n], v);
    }

    /// Runs a block and gives the values it ends with.
    fn block(&mut self, block: BlockId) -> Vec<Val> {
        for op in self.ir.block_ops(block) {
            match self.ir.op_name(op) {
                "scf.yield" | "func.return" => {
                    return self.ir.op(op).operands.iter().map(|&v| self.get(v)).collect();
                }
                _ => self.op(op),
            }
        }
        Vec::new()
    }

    fn elem_size(&self, ty: TypeId) -> i64 {
        dtype_of(&self.ir.ctx, ty).map_or(1, |d| d.bytes() as i64)
    }

    fn reg_size(&self, v: ValueId) -> i64 {
        let ty = self.ir.ctx.type_as::<VRegType>(self.ir.value_type(v)).expect("a register");
        self.elem_size(ty.elem)
    }

    fn op(&mut self, op: OpId) {
        let ir = self.ir;
        let name = ir.op_name(op).to_owned();
        let data = ir.op(op);
        match name.as_str() {
            "scf.for" => {
                let [lo, hi, step] = [0, 1, 2].map(|i| self.int(data.operands[i]));
                let mut carried: Vec<Val> = data.operands[3..].iter().map(|&v| self.get(v)).collect();
                let body = ir.body(op, 0).expect("a body");
                let params = ir.block(body).args.clone();
                let mut i = lo;
                while i < hi {
                    self.env.insert(params[0], Val::Int(i));
                    for (&p, v) in params[1..].iter().zip(&carried) {
                        self.env.insert(p, v.clone());
                    }
                    carried = self.block(body);
                    i += step;
                }
                for (n, v) in carried.into_iter().enumerate() {
                    self.set(op, n, v);
                }
                return;
            }
            "scf.if" => {
                let taken = usize::from(self.int(data.operands[0]) == 0);
                if let Some(body) = ir.body(op, taken) {
                    self.block(body);
                }
                return;
            }
            "pto.vecscope" => {
                self.block(ir.body(op, 0).expect("a body"));
                return;
            }
            _ => {}
        }
        let args: Vec<Val> = data.operands.iter().map(|&v| self.get(v)).collect();
        if !is_free(&name) {
            let attrs = data
                .attrs
                .iter()
                .map(|&(n, a)| {
                    let text = match ir.ctx.attr_data(a) {
                        AttrData::String(s) => ir.ctx.str(*s).to_owned(),
                        AttrData::Dialect { body, .. } => ir.ctx.str(*body).to_owned(),
                        _ => ir.ctx.str(n).to_owned(),
                    };
                    (ir.ctx.str(n).to_owned(), text)
                })
                .collect();
            let short = name.trim_start_matches("pto.").to_owned();
            self.run.issues.push(Issue { name: short, args: args.clone(), attrs });
        }
        self.simple(op, &name, &args);
    }

    fn simple(&mut self, op: OpId, name: &str, a: &[Val]) {
        let int = |i: usize| a[i].int();
        match name {
            "arith.constant" => {
                let v = match self.ir.attr_data(op, "value") {
                    Some(AttrData::Integer { value, .. }) => Val::Int(*value as i64),
                    Some(AttrData::Bool(b)) => Val::Int(i64::from(*b)),
                    Some(AttrData::Float { bits, .. }) => Val::Float(f64::from_bits(*bits)),
                    _ => Val::Float(f64::NAN),
                };
                self.set(op, 0, v);
            }
            "arith.cmpi" => {
                let holds = match self.ir.int_attr(op, "predicate") {
                    Some(0) => int(0) == int(1),
                    Some(1) => int(0) != int(1),
                    Some(2) => int(0) < int(1),
                    Some(4) => int(0) > int(1),
                    p => panic!("predicate {p:?}"),
                };
                self.set(op, 0, Val::Int(i64::from(holds)));
            }
            "arith.select" => self.set(op, 0, if int(0) != 0 { a[1].clone() } else { a[2].clone() }),
            "arith.index_cast" | "arith.extui" | "arith.extsi" | "arith.trunci" => self.set(op, 0, a[0].clone()),
            "arith.bitcast" => {
                let type_of = |v| dtype_of(&self.ir.ctx, self.ir.value_type(v)).expect("an element type");
                let (from, to) = (type_of(self.ir.op(op).operands[0]), type_of(self.ir.op(op).results[0]));
                let v = match &a[0] {
                    Val::Float(x) => ub::Val::Float(*x),
                    v => ub::Val::Int(v.int()),
                };
                let mut bits = [0; 8];
                ub::store(&mut bits, 0, from, v);
                let v = match ub::load(&bits, 0, to) {
                    ub::Val::Float(x) => Val::Float(x),
                    v => Val::Int(v.int()),
                };
                self.set(op, 0, v);
            }
            n if n.starts_with("arith.") && matches!(a[0], Val::Float(_)) => self.set(op, 0, Val::Float(f64::NAN)),
            n if n.starts_with("arith.") => {
                let (x, y) = (int(0), int(1));
                let r = match &n[6..] {
                    "addi" => x + y,
                    "subi" => x - y,
                    "muli" => x * y,
                    "divsi" => x / y,
                    "remsi" => x % y,
                    "minsi" => x.min(y),
                    "maxsi" => x.max(y),
                    "shli" => x << y,
                    "shrui" => ((x as u64) >> y) as i64,
                    "ori" => x | y,
                    "andi" => x & y,
                    _ => panic!("{n}"),
                };
                self.set(op, 0, Val::Int(r));
            }
            "pto.castptr" => {
                let ty = self.ir.value_type(self.ir.op(op).results[0]);
                let v = match (ptr_of(&self.ir.ctx, ty), &a[0]) {
                    (Some(p), Val::Int(addr)) => Val::Ptr { space: p.space, addr: *addr, size: self.elem_size(p.elem) },
                    (Some(p), Val::Ptr { addr, .. }) => {
                        Val::Ptr { space: p.space, addr: *addr, size: self.elem_size(p.elem) }
                    }
                    (None, Val::Ptr { addr, .. }) => Val::Int(*addr),
                    (_, v) => v.clone(),
                };
                self.set(op, 0, v);
            }
            "pto.addptr" => {
                let Val::Ptr { space, addr, size } = a[0] else { panic!("no pointer") };
                self.set(op, 0, Val::Ptr { space, addr: addr + int(1) * size, size });
            }
            "pto.get_ctrl" => self.set(op, 0, Val::Int(0)),
            "pto.init_align" => self.set(op, 0, Val::Align(0)),
            "pto.vstus" => {
                let (Val::Align(pending), Val::Ptr { space, addr, size }) = (&a[0], &a[3]) else { panic!("vstus") };
                let (start, end) = (addr - pending, addr + int(1) * size);
                let cut = end / 32 * 32;
                self.write(*space, start, (cut - start).max(0));
                self.set(op, 0, Val::Align(end - cut.max(start)));
                self.set(op, 1, Val::Ptr { space: *space, addr: end, size: *size });
            }
            "pto.vstas" => {
                let (Val::Align(pending), Val::Ptr { space, addr, size }) = (&a[0], &a[1]) else { panic!("vstas") };
                self.write(*space, addr + int(2) * size - pending, *pending);
            }
            n if n.starts_with("pto.plt_b") => {
                let k: i64 = n[9..].parse::<i64>().expect("a width") / 8;
                let lanes = 256 / k;
                let active = int(0).clamp(0, lanes) * k;
                self.set(op, 0, Val::Mask((0..256).map(|b| b < active).collect()));
                self.set(op, 1, Val::Int((int(0) - lanes).max(0)));
            }
            n if n.starts_with("pto.pset_b") => self.set(op, 0, Val::Mask(vec![true; 256])),
            "pto.pnot" => {
                let (Val::Mask(x), Val::Mask(y)) = (&a[0], &a[1]) else { panic!("pnot") };
                let m = x.iter().zip(y).map(|(x, y)| !x && *y).collect();
                self.set(op, 0, Val::Mask(m));
            }
            "pto.pbitcast" => self.set(op, 0, a[0].clone()),
            "pto.vsts" => self.store(op, a),
            "pto.store_scalar" => {
                let Val::Ptr { space, addr, size } = a[0] else { panic!("store_scalar") };
                self.write(space, addr + int(1) * size, size);
            }
            "pto.copy_ubuf_to_ubuf" | "pto.copy_ubuf_to_cbuf" => {
                let Val::Ptr { space, addr, .. } = a[1] else { panic!("copy") };
                for i in 0..int(3) {
                    self.write(space, addr + i * (int(4) + int(6)) * 32, int(4) * 32);
                }
            }
            "pto.create_cbuf_matrix" => {
                let Val::Ptr { space, addr, .. } = a[0] else { panic!("fill") };
                for i in 0..int(2) {
                    self.write(space, addr + i * (int(3) + int(4)) * 32, int(3) * 32);
                }
            }
            _ => {
                for n in 0..self.ir.op(op).results.len() {
                    self.set(op, n, Val::Reg);
                }
            }
        }
    }

    fn store(&mut self, op: OpId, a: &[Val]) {
        let (Val::Ptr { space, addr, size }, Val::Mask(mask)) = (&a[1], &a[3]) else { panic!("vsts") };
        let at = addr + a[2].int() * size;
        let lane = self.reg_size(self.ir.op(op).operands[0]);
        match self.ir.word_attr(op, "dist") {
            None => {
                assert_eq!(at % 32, 0, "a store to {at}");
                for b in 0..256 {
                    if mask[(b / lane * lane) as usize] {
                        self.write(*space, at + b, 1);
                    }
                }
            }
            Some(d) if d.starts_with("1PT_B") => {
                self.write(*space, at, d[5..].parse::<i64>().expect("a width") / 8);
            }
            Some("PK4_B32") => {
                for i in 0..64 {
                    if mask[4 * i as usize] {
                        self.write(*space, at + i, 1);
                    }
                }
            }
            Some(d @ ("PK_B16" | "PK_B32")) => {
                let wide = d[4..].parse::<i64>().expect("a width") / 8;
                for i in 0..256 / wide {
                    if mask[(wide * i) as usize] {
                        self.write(*space, at + wide / 2 * i, wide / 2);
                    }
                }
            }
            Some(d) => panic!("distribution {d}"),
        }
    }

    fn write(&mut self, space: Loc, at: i64, len: i64) {
        self.run.written.entry(space.ptr_space()).or_default().extend(at..at + len);
    }
}
