//! Runs lowered A2/A3 vector code on the bytes of the unified buffer: masks, repeats, strides, and which instructions may
//! overtake each other.
//!
//! The rules are those of the machine description: in norm mode the mask selects lanes of each repeat, in count mode it
//! counts elements (`vcopy` and `vreducev2`: of each repeat). Repeats go in order, and a repeat reads before it writes.

use half::{bf16, f16};
use ptoc_dialect::types::{dtype_of, ptr_of};
use ptoc_ir::{AttrData, BlockId, Ir, OpId, TypeId, ValueId};
use ptoc_target::DType;
use std::collections::HashMap;
use std::ops::Range;

pub const UB_BYTES: usize = 192 * 1024;

/// A value at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Val {
    Int(i64),
    Float(f64),
    /// Address in UB and element type.
    Ptr(i64, DType),
}

impl Val {
    pub fn int(self) -> i64 {
        match self {
            Val::Int(n) => n,
            v => panic!("{v:?} is no integer"),
        }
    }

    pub fn num(self) -> f64 {
        match self {
            Val::Int(n) => n as f64,
            Val::Float(x) => x,
            Val::Ptr(..) => panic!("a pointer is no number"),
        }
    }
}

pub fn load(bytes: &[u8], at: i64, ty: DType) -> Val {
    let b = &bytes[at as usize..at as usize + ty.bytes() as usize];
    let two = || [b[0], b[1]];
    let four = || [b[0], b[1], b[2], b[3]];
    match ty {
        DType::F32 => Val::Float(f32::from_le_bytes(four()).into()),
        DType::F16 => Val::Float(f16::from_le_bytes(two()).into()),
        DType::BF16 => Val::Float(bf16::from_le_bytes(two()).into()),
        DType::I8 => Val::Int((b[0] as i8).into()),
        DType::U8 => Val::Int(b[0].into()),
        DType::I16 => Val::Int(i16::from_le_bytes(two()).into()),
        DType::U16 => Val::Int(u16::from_le_bytes(two()).into()),
        DType::I32 => Val::Int(i32::from_le_bytes(four()).into()),
        DType::U32 => Val::Int(u32::from_le_bytes(four()).into()),
        _ => Val::Int(i64::from_le_bytes(b.try_into().expect("8 bytes"))),
    }
}

pub fn store(bytes: &mut [u8], at: i64, ty: DType, v: Val) {
    let n = ty.bytes() as usize;
    let raw: [u8; 8] = match (ty, v) {
        (DType::F32, v) => widen(&(v.num() as f32).to_le_bytes()),
        (DType::F16, v) => widen(&f16::from_f64(v.num()).to_le_bytes()),
        (DType::BF16, v) => widen(&bf16::from_f64(v.num()).to_le_bytes()),
        (_, Val::Int(n)) => n.to_le_bytes(),
        (_, v) => panic!("{v:?} in a {ty}"),
    };
    bytes[at as usize..at as usize + n].copy_from_slice(&raw[..n]);
}

fn widen(b: &[u8]) -> [u8; 8] {
    let mut out = [0; 8];
    out[..b.len()].copy_from_slice(b);
    out
}

/// Bytes that an instruction of the vector pipe touched since the last barrier.
struct Touched {
    name: String,
    reads: Vec<Range<i64>>,
    writes: Vec<Range<i64>>,
}

pub struct Machine<'i> {
    ir: &'i Ir,
    env: HashMap<ValueId, Val>,
    pub ub: Vec<u8>,
    /// Instructions issued, scalar accesses included.
    pub issued: Vec<String>,
    counting: bool,
    mask: u128,
    pending: Vec<Touched>,
    /// Address registers, and the compare mask register.
    va: [[i64; 8]; 8],
    compare: [u8; 16],
    /// What the vector pipe wrote and what the scalar unit wrote since the last handshake.
    vector_writes: Vec<Range<i64>>,
    scalar_writes: Vec<Range<i64>>,
    /// The first broken rule.
    fault: Option<String>,
}

impl<'i> Machine<'i> {
    /// Runs the first function of a program on a buffer.
    ///
    /// # Errors
    /// The first rule of the machine that the code breaks.
    pub fn run(ir: &'i Ir, args: &[Val], ub: Vec<u8>) -> Result<Machine<'i>, String> {
        let mut m = Machine {
            ir,
            env: HashMap::new(),
            ub,
            issued: Vec::new(),
            counting: false,
            mask: u128::MAX,
            pending: Vec::new(),
            va: [[0; 8]; 8],
            compare: [0; 16],
            vector_writes: Vec::new(),
            scalar_writes: Vec::new(),
            fault: None,
        };
        let func = ir.block_ops(ir.top()).find(|&op| ir.op_name(op) == "func.func").expect("a function");
        let entry = ir.body(func, 0).expect("a body");
        let params = &ir.block(entry).args;
        assert_eq!(params.len(), args.len(), "the number of arguments");
        for (&p, &a) in params.iter().zip(args) {
            m.env.insert(p, a);
        }
        m.block(entry);
        let all = !m.counting && m.mask == u128::MAX;
        m.hold(all, || "the mask is not back to all lanes".to_owned());
        match m.fault.take() {
            Some(f) => Err(f),
            None => Ok(m),
        }
    }

    fn hold(&mut self, rule: bool, otherwise: impl FnOnce() -> String) {
        if !rule && self.fault.is_none() {
            self.fault = Some(otherwise());
        }
    }

    fn block(&mut self, block: BlockId) -> Vec<Val> {
        for op in self.ir.block_ops(block) {
            match self.ir.op_name(op) {
                "scf.yield" | "func.return" => return self.operands(op),
                _ => self.op(op),
            }
        }
        Vec::new()
    }

    fn operands(&self, op: OpId) -> Vec<Val> {
        self.ir.op(op).operands.iter().map(|v| self.env[v]).collect()
    }

    fn dtype(&self, ty: TypeId) -> DType {
        dtype_of(&self.ir.ctx, ty).unwrap_or(DType::I64)
    }

    fn op(&mut self, op: OpId) {
        let (ir, a) = (self.ir, self.operands(op));
        let name = ir.op_name(op);
        let results: Vec<Val> = match name {
            "scf.for" => {
                let [lo, hi, step] = [0, 1, 2].map(|i| a[i].int());
                let mut carried = a[3..].to_vec();
                let body = ir.body(op, 0).expect("a body");
                let params = ir.block(body).args.clone();
                for i in (lo..hi).step_by(step as usize) {
                    let values = std::iter::once(Val::Int(i)).chain(carried);
                    self.env.extend(params.iter().copied().zip(values));
                    carried = self.block(body);
                }
                carried
            }
            "scf.if" => match ir.body(op, usize::from(a[0].int() == 0)) {
                Some(body) => self.block(body),
                None => Vec::new(),
            },
            "pto.castptr" => {
                let ty = ir.value_type(ir.op(op).results[0]);
                let (Val::Int(at) | Val::Ptr(at, _)) = a[0] else { panic!("castptr") };
                vec![match ptr_of(&ir.ctx, ty) {
                    Some(p) => Val::Ptr(at, self.dtype(p.elem)),
                    None => Val::Int(at),
                }]
            }
            "pto.addptr" => {
                let Val::Ptr(at, ty) = a[0] else { panic!("addptr") };
                vec![Val::Ptr(at + a[1].int() * ty.bytes() as i64, ty)]
            }
            n if n.starts_with("arith.") => vec![self.arith(op, &n[6..], &a)],
            _ => {
                // Reading a register is no instruction of the traces.
                if name != "pto.get_ctrl" {
                    self.issued.push(name.trim_start_matches("pto.").to_owned());
                }
                self.intrinsic(op, name, &a)
            }
        };
        for (n, v) in results.into_iter().enumerate() {
            self.env.insert(ir.op(op).results[n], v);
        }
    }

    fn arith(&self, op: OpId, name: &str, a: &[Val]) -> Val {
        let to = self.ir.value_type(self.ir.op(op).results[0]);
        let ty = self.dtype(to);
        let bits = |v: Val, ty: DType| {
            let mut b = [0; 8];
            store(&mut b, 0, ty, v);
            b
        };
        let int = |i: usize| a[i].int();
        let r = match name {
            "constant" => {
                return match self.ir.attr_data(op, "value") {
                    Some(AttrData::Integer { value, .. }) => Val::Int(*value as i64),
                    Some(AttrData::Bool(b)) => Val::Int((*b).into()),
                    Some(AttrData::Float { bits, .. }) => Val::Float(f64::from_bits(*bits)),
                    Some(AttrData::FloatBits { bits, .. }) => load(&bits.to_le_bytes(), 0, ty),
                    v => panic!("constant {v:?}"),
                };
            }
            "cmpi" => {
                let (x, y) = (int(0), int(1));
                let holds = match self.ir.int_attr(op, "predicate") {
                    Some(0) => x == y,
                    Some(1) => x != y,
                    Some(2) => x < y,
                    Some(4) => x > y,
                    p => panic!("predicate {p:?}"),
                };
                return Val::Int(holds.into());
            }
            "select" => return if int(0) != 0 { a[1] } else { a[2] },
            "bitcast" => return load(&bits(a[0], self.dtype(self.ir.value_type(self.ir.op(op).operands[0]))), 0, ty),
            "extui" => {
                let from = self.dtype(self.ir.value_type(self.ir.op(op).operands[0]));
                Val::Int(int(0) & ((1i64 << (8 * from.bytes())) - 1))
            }
            "trunci" if int(0) >> 32 == 0 => Val::Int(int(0)),
            "index_cast" | "extsi" | "trunci" | "extf" | "truncf" => a[0],
            "negf" => Val::Float(-a[0].num()),
            "addi" => Val::Int(int(0).wrapping_add(int(1))),
            "subi" => Val::Int(int(0).wrapping_sub(int(1))),
            "muli" => Val::Int(int(0).wrapping_mul(int(1))),
            "divsi" => Val::Int(int(0) / int(1)),
            "remsi" => Val::Int(int(0) % int(1)),
            "minsi" => Val::Int(int(0).min(int(1))),
            "maxsi" => Val::Int(int(0).max(int(1))),
            "andi" => Val::Int(int(0) & int(1)),
            "ori" => Val::Int(int(0) | int(1)),
            "shli" | "shrui" => {
                assert!((0..64).contains(&int(1)), "a shift by {}", int(1));
                Val::Int(if name == "shli" { int(0) << int(1) } else { (int(0) as u64 >> int(1)) as i64 })
            }
            "mulf" => Val::Float(a[0].num() * a[1].num()),
            "divf" => Val::Float(a[0].num() / a[1].num()),
            n => panic!("arith.{n}"),
        };
        // Back to the width of the result.
        load(&bits(r, ty), 0, ty)
    }

    fn intrinsic(&mut self, op: OpId, name: &str, a: &[Val]) -> Vec<Val> {
        let int = |i: usize| a[i].int();
        match name {
            "pto.get_ctrl" => return vec![Val::Int(0)],
            "pto.set_ctrl" | "pto.ub.set_deqscale" => {}
            "pto.barrier" => self.pending.clear(),
            "pto.set_flag" => {}
            "pto.wait_flag" => match self.ir.word_attr(op, "dst_pipe") {
                // The scalar unit waits for the vector pipe, and issues nothing before.
                Some("PIPE_S") => {
                    self.vector_writes.clear();
                    self.pending.clear();
                }
                _ => self.scalar_writes.clear(),
            },
            "pto.ub.set_mask_norm" => self.counting = false,
            "pto.ub.set_mask_count" => self.counting = true,
            "pto.ub.set_mask" => self.mask = (int(0) as u64 as u128) << 64 | int(1) as u64 as u128,
            "pto.load_scalar" => {
                let Val::Ptr(at, ty) = a[0] else { panic!("load_scalar") };
                let at = at + int(1) * ty.bytes() as i64;
                let hit = self.vector_writes.iter().any(|r| overlap(r, &(at..at + ty.bytes() as i64)));
                self.hold(!hit, || format!("a scalar load of byte {at} overtakes a vector store"));
                return vec![load(&self.ub, at, ty)];
            }
            "pto.store_scalar" => {
                // Operands in table order: pointer, offset, value.
                let Val::Ptr(at, ty) = a[0] else { panic!("store_scalar") };
                let at = at + int(1) * ty.bytes() as i64;
                store(&mut self.ub, at, ty, a[2]);
                self.scalar_writes.push(at..at + ty.bytes() as i64);
            }
            "pto.copy_ubuf_to_ubuf" => self.bursts(a),
            "pto.ub.set_va_reg_sb" => {
                let n = self.ir.int_attr(op, "va").expect("a register") as usize;
                self.va[n] = std::array::from_fn(int);
            }
            "pto.ub.set_cmpmask" => {
                let Val::Ptr(at, _) = a[0] else { panic!("set_cmpmask") };
                self.compare.copy_from_slice(&self.ub[at as usize..at as usize + 16]);
                self.touch("set_cmpmask", std::iter::once(at..at + 16).collect(), Vec::new());
            }
            "pto.ub.vsel" => {
                let mode = self.ir.int_attr(op, "mode").expect("a mode");
                self.choose(a, mode as i64);
            }
            n if n.starts_with("pto.ub.scatter_vnchwconv_b") => {
                let attr = |n: &str| self.ir.int_attr(op, n).expect("a register") as usize;
                let flag = |n: &str| matches!(self.ir.attr_data(op, n), Some(AttrData::Bool(true)));
                let registers = [attr("dst_va"), attr("src_va")];
                let halves = [flag("dst_high_half"), flag("src_high_half")];
                self.transpose(n[26..].parse::<i64>().expect("a width") / 8, registers, halves, [0, 1, 2].map(int));
            }
            n => self.vector(n.trim_start_matches("pto.ub."), a),
        }
        Vec::new()
    }

    fn touch(&mut self, name: &str, reads: Vec<Range<i64>>, writes: Vec<Range<i64>>) {
        let (reads, writes) = (join(reads), join(writes));
        let clash = |x: &[Range<i64>], y: &[Range<i64>]| x.iter().any(|r| y.iter().any(|w| overlap(r, w)));
        let fault = self.pending.iter().find_map(|t| {
            let other = &t.name;
            if clash(&reads, &t.writes) {
                Some(format!("{name} reads what {other} writes, without a barrier"))
            } else if clash(&writes, &t.writes) {
                Some(format!("{name} writes what {other} writes, without a barrier"))
            } else if clash(&writes, &t.reads) {
                Some(format!("{name} writes what {other} reads, without a barrier"))
            } else {
                None
            }
        });
        self.hold(fault.is_none(), || fault.clone().unwrap_or_default());
        let hit = reads.iter().any(|r| self.scalar_writes.iter().any(|w| overlap(r, w)));
        self.hold(!hit, || format!("{name} overtakes a scalar store"));
        self.vector_writes.extend(writes.iter().cloned());
        self.pending.push(Touched { name: name.to_owned(), reads, writes });
    }

    fn bursts(&mut self, a: &[Val]) {
        let (Val::Ptr(src, _), Val::Ptr(dst, _)) = (a[0], a[1]) else { panic!("copy_ubuf_to_ubuf") };
        let [count, len, src_gap, dst_gap] = [3, 4, 5, 6].map(|i| a[i].int());
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for i in 0..count {
            let (from, to) = (src + i * (len + src_gap) * 32, dst + i * (len + dst_gap) * 32);
            self.hold(from % 32 == 0 && to % 32 == 0, || "a burst starts inside a block".to_owned());
            self.ub.copy_within(from as usize..(from + len * 32) as usize, to as usize);
            reads.push(from..from + len * 32);
            writes.push(to..to + len * 32);
        }
        self.touch("copy_ubuf_to_ubuf", reads, writes);
    }

    /// Sixteen rows of a block each, transposed, for each repeat.
    fn transpose(&mut self, z: i64, [dst, src]: [usize; 2], [dst_high, src_high]: [bool; 2], steps: [i64; 3]) {
        let rows = |m: &Self, n: usize| -> Vec<i64> { m.va[n].iter().chain(&m.va[n + 1]).copied().collect() };
        let (to, from) = (rows(self, dst), rows(self, src));
        let [repeat, dst_step, src_step] = steps;
        self.hold(repeat != 1 || (dst_step, src_step) == (0, 0), || "a single repeat with a step".to_owned());
        let (mut reads, mut writes, mut out) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..repeat {
            let at = |list: &[i64], i: i64, step: i64| list[i as usize] + k * step * 32;
            let columns = if z == 4 { 8 } else { 16 };
            for j in 0..16 {
                for i in 0..columns {
                    let start = at(&from, j, src_step) + if src_high { 16 } else { 0 };
                    let (row, lane) = if z == 4 { (2 * i + j / 8, j % 8) } else { (i, j) };
                    let end = at(&to, row, dst_step) + lane * z + if dst_high { 16 } else { 0 };
                    reads.push(start + i * z..start + (i + 1) * z);
                    writes.push(end..end + z);
                    for b in 0..z {
                        out.push((end + b, self.ub[(start + i * z + b) as usize]));
                    }
                }
            }
        }
        for (at, byte) in out {
            self.ub[at as usize] = byte;
        }
        self.touch("scatter_vnchwconv", reads, writes);
    }

    /// Lane by lane by the bits at an address: of the compare mask register (2), or of the third operand (1).
    fn choose(&mut self, a: &[Val], mode: i64) {
        let ptr = |i: usize| if let Val::Ptr(at, ty) = a[i] { (at, ty) } else { panic!("vsel") };
        let ((dst, ty), (x, _), (y, _)) = (ptr(0), ptr(1), ptr(2));
        let word = |n: usize| i64::from(u32::from_le_bytes(self.compare[n..n + 4].try_into().expect("a word")));
        let z = ty.bytes() as i64;
        let bits = if mode == 2 { word(0) } else { y };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        assert!(self.counting, "vsel");
        for l in 0..self.mask as u64 as i64 {
            let byte = bits + l / 8;
            reads.push(byte..byte + 1);
            let set = self.ub[byte as usize] >> (l % 8) & 1 == 1;
            reads.push(x + l * z..x + (l + 1) * z);
            writes.push(dst + l * z..dst + (l + 1) * z);
            // Bits, whatever they mean.
            for b in 0..z {
                let at = |base: i64| (base + l * z + b) as usize;
                self.ub[at(dst)] = match (set, mode) {
                    (true, _) => self.ub[at(x)],
                    (false, 2) => self.ub[at(y)],
                    _ => self.compare[b as usize],
                };
            }
        }
        self.touch("vsel", reads, writes);
    }

    /// Lanes that an instruction works on: repeat and lane.
    fn lanes(&self, repeat: i64, width: i64, each: bool) -> Vec<(i64, i64)> {
        assert!((0..=255).contains(&repeat), "{repeat} repeats");
        let count = self.mask as u64 as i64;
        match (self.counting, each) {
            (true, false) => (0..count).map(|n| (n / width, n % width)).collect(),
            (true, true) => (0..repeat).flat_map(|r| (0..count).map(move |l| (r, l))).collect(),
            _ => (0..repeat)
                .flat_map(|r| (0..width).map(move |l| (r, l)))
                .filter(|&(_, l)| self.mask >> l & 1 == 1)
                .collect(),
        }
    }

    fn vector(&mut self, name: &str, a: &[Val]) {
        let pointers: Vec<(i64, DType)> =
            a.iter().map_while(|v| if let Val::Ptr(at, ty) = *v { Some((at, ty)) } else { None }).collect();
        let size = |ty: DType| ty.bytes() as i64;
        let n = pointers.len();
        let numbers: Vec<Val> = a[n..].to_vec();
        let int = |i: usize| numbers[i].int();
        for (i, &(at, _)) in pointers.iter().enumerate() {
            let reduces = name.starts_with("vc") && !matches!(name, "vcopy") && !name.starts_with("vconv");
            self.hold(at % 32 == 0 || (reduces && i == 0), || format!("{name}: operand {i} at byte {at}"));
        }
        let (dst, dst_ty) = pointers[0];
        let (mut reads, mut done) = (Vec::new(), Repeats::default());
        match name {
            "vcadd" | "vcmax" | "vcmin" | "vcgadd" | "vcgmax" | "vcgmin" => {
                let (src, ty) = pointers[1];
                let (z, e) = (size(ty), 32 / size(ty));
                let blocks = name.starts_with("vcg");
                let step = if blocks { 8 } else { 1 };
                // Where the result of a block, or of the repeat, goes.
                let mut open: Option<(i64, i64, Val)> = None;
                for (r, l) in self.lanes(int(0), 256 / z, false) {
                    let at = src + 32 * (r * int(3) + l / e * int(2)) + z * (l % e);
                    let to = dst + (r * int(1) * step + if blocks { l / e } else { 0 }) * z;
                    if let Some((q, t, s)) = open.take_if(|o| (o.0, o.1) != (r, to)) {
                        done.put(&mut self.ub, q, t, ty, s);
                    }
                    done.enter(&mut self.ub, r);
                    reads.push(at..at + z);
                    let x = load(&self.ub, at, ty);
                    let y = match open {
                        None => x,
                        Some((_, _, s)) => match &name[name.len() - 3..] {
                            "add" => round(ty, s.num() + x.num()),
                            "max" => round(ty, s.num().max(x.num())),
                            _ => round(ty, s.num().min(x.num())),
                        },
                    };
                    open = Some((r, to, y));
                }
                if let Some((q, t, s)) = open {
                    done.put(&mut self.ub, q, t, ty, s);
                }
            }
            "vbrcb" => {
                let (src, ty) = pointers[1];
                let z = size(ty);
                for r in 0..int(2) {
                    done.enter(&mut self.ub, r);
                    for b in 0..8 {
                        let from = src + (8 * r + b) * z;
                        reads.push(from..from + z);
                        let x = load(&self.ub, from, ty);
                        let to = dst + 32 * (r * int(1) + b * int(0));
                        for i in 0..32 / z {
                            done.put(&mut self.ub, r, to + i * z, ty, x);
                        }
                    }
                }
            }
            "vgather" => {
                let (index, z) = (pointers[1].0, size(dst_ty));
                for (_, l) in self.lanes(int(2), 1 << 20, false) {
                    let at = index + 4 * l;
                    reads.push(at..at + 4);
                    let Val::Int(offset) = load(&self.ub, at, DType::U32) else { panic!("an offset") };
                    let from = int(0) + offset;
                    reads.push(from..from + z);
                    let x = load(&self.ub, from, dst_ty);
                    done.put(&mut self.ub, 0, dst + z * l, dst_ty, x);
                }
            }
            _ if name.starts_with("vcmpv") => {
                let (x, ty) = pointers[1];
                let (z, e) = (size(ty), 256 / size(ty));
                // The number stands before the repeats.
                let k = usize::from(n == 2);
                for r in 0..int(k) {
                    done.enter(&mut self.ub, r);
                    for l in (0..e).step_by(8) {
                        let mut byte = 0;
                        for b in 0..8 {
                            let at = |base: i64| base + 256 * r + z * (l + b);
                            reads.push(at(x)..at(x) + z);
                            let p = load(&self.ub, at(x), ty).num();
                            let q = if n == 3 {
                                load(&self.ub, at(pointers[2].0), ty)
                            } else {
                                round(ty, numbers[0].num())
                            };
                            let q = q.num();
                            let holds = match &name[name.len() - 2..] {
                                "eq" => p == q,
                                "lt" => p < q,
                                "le" => p <= q,
                                "gt" => p > q,
                                _ => p >= q,
                            };
                            byte |= i64::from(holds) << b;
                        }
                        done.put(&mut self.ub, r, dst + (r * e + l) / 8, DType::U8, Val::Int(byte));
                    }
                }
            }
            "vreducev2" => {
                let (src, ty) = pointers[1];
                let (z, e) = (size(ty), 32 / size(ty));
                let count = if self.counting { self.mask as i64 } else { 256 / z };
                let mut kept = 0;
                for r in 0..int(0) {
                    done.enter(&mut self.ub, r);
                    for l in 0..count {
                        let at = src + 32 * (r * int(3) + l / e * int(1)) + z * (l % e);
                        reads.push(at..at + z);
                        let keep = match int(2) {
                            1 => l % 2 == 0,
                            2 => l % 2 == 1,
                            p => panic!("pattern {p}"),
                        };
                        if keep {
                            let x = load(&self.ub, at, ty);
                            done.put(&mut self.ub, r, dst + kept * z, ty, x);
                            kept += 1;
                        }
                    }
                }
            }
            _ => {
                // [number] repeat, block strides, repeat strides
                let with_number = matches!(
                    name,
                    "vdup" | "vlrelu" | "vaxpy" | "vadds" | "vmuls" | "vmaxs" | "vmins" | "vshl" | "vshr"
                );
                let k = usize::from(with_number);
                let strides = if name == "vdup" { 2 } else { n };
                let wide = pointers.iter().map(|p| size(p.1)).max().unwrap_or(4);
                let place = |i: usize, r: i64, l: i64| {
                    let (at, ty) = pointers[i];
                    let e = 32 / size(ty);
                    let (block, next) = (int(k + 1 + i), int(k + 1 + strides + i));
                    assert!((0..=255).contains(&block) && (0..=255).contains(&next), "{name}: strides {block} {next}");
                    at + 32 * (r * next + l / e * block) + size(ty) * (l % e)
                };
                for (r, l) in self.lanes(int(k), 256 / wide, name == "vcopy") {
                    done.enter(&mut self.ub, r);
                    let mut x = [numbers[0]; 2];
                    for (i, x) in x.iter_mut().enumerate().take(n - 1) {
                        let at = place(i + 1, r, l);
                        reads.push(at..at + size(pointers[i + 1].1));
                        *x = load(&self.ub, at, pointers[i + 1].1);
                    }
                    let updates = matches!(name, "vmla" | "vmadd" | "vmaddrelu" | "vaxpy");
                    let y = if updates {
                        let at = place(0, r, l);
                        reads.push(at..at + size(dst_ty));
                        let old = load(&self.ub, at, dst_ty).num();
                        // A number has the type of the source.
                        let number = if n == 2 { round(pointers[1].1, x[1].num()) } else { x[1] };
                        let rounded = |x: f64| round(dst_ty, x).num();
                        let sum = match name {
                            "vmla" | "vaxpy" => rounded(old + rounded(x[0].num() * number.num())),
                            _ => rounded(rounded(x[0].num() * old) + number.num()),
                        };
                        Val::Float(if name == "vmaddrelu" { sum.max(0.0) } else { sum })
                    } else {
                        compute(name, dst_ty, x[0], x[1])
                    };
                    done.put(&mut self.ub, r, place(0, r, l), dst_ty, y);
                }
            }
        }
        let writes = done.end(&mut self.ub);
        self.touch(name, reads, writes);
    }
}

/// What a repeat writes, which the next one may read.
#[derive(Default)]
struct Repeats {
    repeat: i64,
    out: Vec<(i64, DType, Val)>,
    writes: Vec<Range<i64>>,
}

impl Repeats {
    fn enter(&mut self, ub: &mut [u8], repeat: i64) {
        if self.repeat != repeat {
            self.repeat = repeat;
            self.flush(ub);
        }
    }

    fn put(&mut self, ub: &mut [u8], repeat: i64, at: i64, ty: DType, v: Val) {
        self.enter(ub, repeat);
        self.out.push((at, ty, v));
        self.writes.push(at..at + ty.bytes() as i64);
    }

    fn flush(&mut self, ub: &mut [u8]) {
        for (at, ty, v) in self.out.drain(..) {
            store(ub, at, ty, v);
        }
    }

    fn end(mut self, ub: &mut [u8]) -> Vec<Range<i64>> {
        self.flush(ub);
        self.writes
    }
}

fn overlap(a: &Range<i64>, b: &Range<i64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Neighbouring ranges as one.
fn join(mut ranges: Vec<Range<i64>>) -> Vec<Range<i64>> {
    ranges.sort_by_key(|r| r.start);
    let mut out: Vec<Range<i64>> = Vec::new();
    for r in ranges {
        match out.last_mut() {
            Some(l) if l.end >= r.start => l.end = l.end.max(r.end),
            _ => out.push(r),
        }
    }
    out
}

fn round(ty: DType, x: f64) -> Val {
    let mut b = [0; 8];
    store(&mut b, 0, ty, if ty.is_float() { Val::Float(x) } else { Val::Int(x as i64) });
    load(&b, 0, ty)
}

/// One lane of an elementwise instruction.
pub fn compute(name: &str, ty: DType, x: Val, y: Val) -> Val {
    if name.starts_with("vconv") {
        return convert(name, ty, x);
    }
    if ty.is_float() && name != "vcopy" {
        let (x, y) = (x.num(), y.num());
        let r = match name {
            "vadd" | "vadds" => x + y,
            "vsub" => x - y,
            "vsubrelu" => round(ty, x - y).num().max(0.0),
            "vmul" | "vmuls" => x * y,
            "vdiv" => x / y,
            "vmax" | "vmaxs" => x.max(y),
            "vmin" | "vmins" => x.min(y),
            "vdup" => y,
            "vexp" => x.exp(),
            "vln" => x.ln(),
            "vsqrt" => x.sqrt(),
            "vrsqrt" => 1.0 / x.sqrt(),
            "vlrelu" if x < 0.0 => x * y,
            "vlrelu" => x,
            "vabs" => x.abs(),
            "vrelu" => x.max(0.0),
            _ => panic!("{name}"),
        };
        return Val::Float(r);
    }
    let (Val::Int(x), Val::Int(y)) = (x, y) else { return x };
    Val::Int(match name {
        "vadd" | "vadds" => x.wrapping_add(y),
        "vsub" => x.wrapping_sub(y),
        "vmul" | "vmuls" => x.wrapping_mul(y),
        "vmax" | "vmaxs" => x.max(y),
        "vmin" | "vmins" => x.min(y),
        "vrelu" => x.max(0),
        "vdup" => y,
        "vcopy" => x,
        "vand" => x & y,
        "vor" => x | y,
        "vnot" => !x,
        "vshl" => x << y,
        "vshr" => x >> y,
        _ => panic!("{name}"),
    })
}

fn convert(name: &str, ty: DType, x: Val) -> Val {
    let x = x.num();
    let letter = name.chars().last().unwrap_or('r');
    let whole = match letter {
        'a' => x.round(),
        'f' => x.floor(),
        'c' => x.ceil(),
        'z' => x.trunc(),
        _ => x.round_ties_even(),
    };
    match ty {
        DType::F32 if name.contains("f322f32") => Val::Float(whole),
        t if t.is_float() => Val::Float(x),
        _ => Val::Int(whole as i64),
    }
}
