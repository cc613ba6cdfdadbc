//! Intrinsics of the matrix unit against the formulas of their definition.

use super::super::{Arg, Args, Core, Fault, Ptr, find};
use crate::num::{Num, decode, encode};
use ptoc_target::{Arch, DType, Loc, Target};

fn core(arch: Arch) -> Core {
    let mut core = Core::new(match arch {
        Arch::A2A3 => Target::A2A3,
        Arch::A5 => Target::A5,
    });
    core.mem.grow(Loc::Gm, 1 << 16).unwrap();
    core
}

fn ptr(space: Loc, addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space, addr, elem: Some(elem) })
}

fn call(core: &mut Core, name: &'static str, pointers: &[Arg], numbers: &[i64]) -> Result<(), Fault> {
    let list: Vec<Arg> = pointers.iter().cloned().chain(numbers.iter().map(|n| Arg::Int(*n))).collect();
    let run = find(core.target.arch, name).unwrap().run;
    run(core, &Args { name, list: &list })
}

/// A small integer that depends on its place.
fn sample(seed: u64, i: u64, j: u64) -> i64 {
    ((i * 7 + j * 13 + seed * 5 + i * j) % 11) as i64 - 5
}

fn poke(core: &mut Core, space: Loc, at: u64, ty: DType, value: i64) {
    let value = if ty.is_int() { Num::Int(i128::from(value)) } else { Num::Float(value as f64) };
    let n = ty.bytes() as usize;
    core.mem.preset(space, at, &encode(ty, value).to_le_bytes()[..n]).unwrap();
}

fn peek(core: &Core, space: Loc, at: u64, ty: DType) -> f64 {
    let mut word = [0; 8];
    let n = ty.bytes() as usize;
    word[..n].copy_from_slice(&core.mem.bytes(space)[at as usize..at as usize + n]);
    decode(ty, u64::from_le_bytes(word)).real()
}

/// Byte of element `(i, p)` of an `m x k` left operand: section 3.1 of the intrinsics of A2/A3, 3.1 of those of A5.
fn left_at(arch: Arch, (m, k): (u64, u64), (i, p): (u64, u64), s: u64) -> u64 {
    let c0 = 32 / s;
    let number = match arch {
        Arch::A2A3 => (i / 16) * k.div_ceil(c0) + p / c0,
        Arch::A5 => (p / c0) * m.div_ceil(16) + i / 16,
    };
    number * 512 + (i % 16) * 32 + (p % c0) * s
}

fn right_at(n: u64, (p, j): (u64, u64), s: u64) -> u64 {
    let c0 = 32 / s;
    ((p / c0) * n.div_ceil(16) + j / 16) * 512 + (j % 16) * 32 + (p % c0) * s
}

fn acc_at(m: u64, (i, j): (u64, u64)) -> u64 {
    ((j / 16) * m.next_multiple_of(16) + i) * 64 + (j % 16) * 4
}

/// Tails in m, k and n; operands around them are noise that must not matter, results around them must stay.
#[test]
fn a_product_reads_and_writes_its_own_sizes() {
    let (m, k, n) = (20, 37, 23);
    for arch in Arch::ALL {
        for (ty, to) in
            [(DType::F16, DType::F32), (DType::BF16, DType::F32), (DType::F32, DType::F32), (DType::I8, DType::I32)]
        {
            let mut core = core(arch);
            let s = ty.bytes();
            for space in [Loc::Left, Loc::Right, Loc::Acc] {
                core.mem.preset(space, 0, &[0x11; 1 << 14]).unwrap();
            }
            for i in 0..m {
                (0..k).for_each(|p| poke(&mut core, Loc::Left, left_at(arch, (m, k), (i, p), s), ty, sample(1, i, p)));
            }
            for p in 0..k {
                (0..n).for_each(|j| poke(&mut core, Loc::Right, right_at(n, (p, j), s), ty, sample(2, p, j)));
            }
            (0..n).for_each(|j| poke(&mut core, Loc::Bias, 64 + 4 * j, to, j as i64));
            let pointers = |bias: u64| [ptr(Loc::Acc, bias << 32, to), ptr(Loc::Left, 0, ty), ptr(Loc::Right, 0, ty)];
            let [mi, ki, ni] = [m, k, n].map(|x| x as i64);
            call(&mut core, "mad", &pointers(64), &[mi, ki, ni, 0, 0, 1, 0]).unwrap();
            call(&mut core, "mad", &pointers(0), &[mi, ki, ni, 0, 0, 0, 0]).unwrap();
            for i in 0..m {
                for j in 0..n {
                    let sum: i64 = (0..k).map(|p| sample(1, i, p) * sample(2, p, j)).sum();
                    let got = peek(&core, Loc::Acc, acc_at(m, (i, j)), to);
                    assert_eq!(got, (2 * sum + j as i64) as f64, "{arch} {ty} ({i}, {j})");
                }
            }
            for (i, j) in [(m, 0), (0, n), (31, 31)] {
                let at = acc_at(m, (i, j)) as usize;
                assert_eq!(core.mem.bytes(Loc::Acc)[at..at + 4], [0x11; 4]);
            }
        }
    }
}

/// One row of scales of 2 for A, 1/2 for the second 32 k; B scaled by 4.
#[test]
fn a_product_with_scales() {
    let (m, k, n) = (16, 64, 16);
    let mut core = core(Arch::A5);
    for i in 0..16 {
        for p in 0..k {
            poke(&mut core, Loc::Left, left_at(Arch::A5, (m, k), (i, p), 1), DType::F8E4M3, sample(1, i, p));
            poke(&mut core, Loc::Right, right_at(n, (p, i), 1), DType::F8E5M2, sample(2, p, i) % 4);
        }
        core.mem.preset(Loc::ScaleLeft, 2 * i, &[128, 126]).unwrap();
        core.mem.preset(Loc::ScaleRight, 2 * i, &[129, 129]).unwrap();
    }
    let pointers = [ptr(Loc::Acc, 0, DType::F32), ptr(Loc::Left, 0, DType::F8E4M3), ptr(Loc::Right, 0, DType::F8E5M2)];
    call(&mut core, "mad_mx", &pointers, &[16, 64, 16, 0, 0, 0, 1]).unwrap();
    for (i, j) in [(0, 0), (3, 5), (15, 15)] {
        let term = |p| (sample(1, i, p) * (sample(2, p, j) % 4)) as f64 * if p < 32 { 8.0 } else { 2.0 };
        assert_eq!(peek(&core, Loc::Acc, acc_at(m, (i, j)), DType::F32), (0..k).map(term).sum::<f64>());
    }
}

/// L1 holds an NZ matrix; the transpose of a window of boxes lands in L0A.
#[test]
fn loads_of_a5_turn_a_window_of_boxes() {
    for (ty, s) in [(DType::I8, 1), (DType::F16, 2), (DType::F32, 4)] {
        let mut core = core(Arch::A5);
        let c0 = 32 / s;
        // 96 rows, 4 groups of columns; the window begins at box row 2, group 1 and has 4 x 2 boxes.
        let value = |r: u64, c: u64| sample(3, r, c);
        for r in 0..96 {
            for c in 0..4 * c0 {
                poke(&mut core, Loc::Mat, ((c / c0) * 96 + r) * 32 + (c % c0) * s, ty, value(r, c));
            }
        }
        let pointers = [ptr(Loc::Left, 0, ty), ptr(Loc::Mat, 0, ty)];
        call(&mut core, "load_cbuf_to_ca", &pointers, &[2, 1, 4, 2, 6, 4, 0]).unwrap();
        for (r, c) in [(0, 0), (17, 3), (63, 2 * c0 - 1)] {
            let at = ((c / c0) * 4 + r / 16) * 512 + (r % 16) * 32 + (c % c0) * s;
            assert_eq!(peek(&core, Loc::Left, at, ty), value(32 + r, c0 + c) as f64);
        }
        let rows = 2 * c0 / 16;
        call(&mut core, "load_cbuf_to_ca", &pointers, &[2, 1, 4, 2, 6, rows as i64, 1]).unwrap();
        for (r, c) in [(0, 0), (3, 17), (2 * c0 - 1, 63), (5, 40)] {
            let at = ((c / c0) * rows + r / 16) * 512 + (r % 16) * 32 + (c % c0) * s;
            assert_eq!(peek(&core, Loc::Left, at, ty), value(32 + c, c0 + r) as f64, "{ty} ({r}, {c})");
        }
    }
}

/// Codes of 4 bits keep their value through a transpose of 4 boxes of rows.
#[test]
fn loads_of_a5_turn_packed_codes() {
    let mut core = core(Arch::A5);
    let code = |r: u64, c: u64| ((r * 3 + c * 5) % 16) as u8;
    for r in 0..64 {
        let row: Vec<u8> = (0..32).map(|b| code(r, 2 * b) | code(r, 2 * b + 1) << 4).collect();
        core.mem.preset(Loc::Mat, r * 32, &row).unwrap();
    }
    let ty = DType::F4E2M1x2;
    let pointers = [ptr(Loc::Right, 0, ty), ptr(Loc::Mat, 0, ty)];
    call(&mut core, "load_cbuf_to_cb_s4", &pointers, &[0, 0, 4, 1, 4, 4, 1]).unwrap();
    for r in 0..64u64 {
        for c in 0..64u64 {
            let pair = core.mem.bytes(Loc::Right)[(r / 16 * 512 + r % 16 * 32 + c / 2) as usize];
            assert_eq!(pair >> (4 * (c % 2)) & 0xf, code(c, r));
        }
    }
}

#[test]
fn loads_of_a2a3_count_boxes_and_turn_bytes() {
    let mut core = core(Arch::A2A3);
    for b in 0..8u64 {
        core.mem.preset(Loc::Mat, 512 * b, &[b as u8; 512]).unwrap();
    }
    let pointers = [ptr(Loc::Right, 0, DType::I8), ptr(Loc::Mat, 0, DType::I8)];
    call(&mut core, "load_cbuf_to_cb", &pointers, &[1, 3, 2, 1, 0, 0, 0]).unwrap();
    assert_eq!([0, 1024, 2048].map(|at| core.mem.bytes(Loc::Right)[at]), [1, 3, 5]);
    assert_eq!(core.mem.bytes(Loc::Right)[512], 0);
    // A square of 32 x 32 bytes whose second box goes 3 boxes behind the first.
    for r in 0..32 {
        (0..32).for_each(|c| poke(&mut core, Loc::Mat, 1024 + 32 * r + c, DType::I8, sample(0, r, c)));
    }
    call(&mut core, "load_cbuf_to_cb_transpose", &pointers, &[1, 1, 1, 0, 0, 2]).unwrap();
    for (r, c) in [(0, 1), (15, 31), (16, 0), (31, 7)] {
        let at = r / 16 * 3 * 512 + r % 16 * 32 + c;
        assert_eq!(peek(&core, Loc::Right, at, DType::I8), sample(0, c, r) as f64);
    }
}

/// A 5 x 6 map of one channel group, filter 3 x 3, pads of 1, pad value 3.
#[test]
fn windows_of_a_map() {
    for arch in Arch::ALL {
        let mut core = core(arch);
        let ty = DType::F16;
        for y in 0..5 {
            for x in 0..6 {
                (0..16).for_each(|c| poke(&mut core, Loc::Mat, ((y * 6 + x) * 16 + c) * 2, ty, sample(c, y, x)));
            }
        }
        core.spr.fmatrix[0] = 6 | 5 << 16 | 0x0101_0101 << 32;
        core.spr.padding[0] = encode(ty, Num::Float(3.0));
        core.spr.l3d_rpt[0] = 2 << 32 | 1 << 16;
        // Columns from the group of tap (0, 1), all 30 rows rounded up.
        let pointers = [ptr(Loc::Left, 0, ty), ptr(Loc::Mat, 0, ty)];
        let numbers = [128, 32, 16, 0, 1, 1, 3, 3, 1, 1, 0, 0, 0, 0, 16];
        call(&mut core, "img2colv2_cbuf_to_ca", &pointers, &numbers).unwrap();
        for (r, k) in [(0u64, 0u64), (7, 30), (29, 127), (14, 64)] {
            let at = left_at(arch, (32, 128), (r, k), 2);
            let tap = k / 16 + 1;
            let (y, x) = ((r / 6 + tap / 3).wrapping_sub(1), (r % 6 + tap % 3).wrapping_sub(1));
            let want = if y < 5 && x < 6 { sample(k % 16, y, x) } else { 3 };
            assert_eq!(peek(&core, Loc::Left, at, ty), want as f64, "{arch} ({r}, {k})");
        }
    }
}

/// The window of a plain matrix lands in L0B as its transpose needs it.
#[test]
fn a_window_as_right_operand() {
    let mut core = core(Arch::A2A3);
    // An NZ matrix of 32 rows: a map of height 1 and width 32.
    for r in 0..32 {
        (0..32).for_each(|c| {
            poke(&mut core, Loc::Mat, ((c / 16) * 32 + r) * 32 + c % 16 * 2, DType::F16, sample(9, r, c))
        });
    }
    core.spr.fmatrix[0] = 32 | 1 << 16;
    let pointers = [ptr(Loc::Right, 0, DType::F16), ptr(Loc::Mat, 0, DType::F16)];
    call(&mut core, "img2colv2_cbuf_to_cb", &pointers, &[32, 16, 0, 16, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 32]).unwrap();
    for (k, n) in [(0, 0), (15, 31), (3, 20)] {
        assert_eq!(peek(&core, Loc::Right, right_at(32, (k, n), 2), DType::F16), sample(9, 16 + k, n) as f64);
    }
}

/// An accumulator of `m` rows with sample values.
fn accumulator(core: &mut Core, m: u64, n: u64, ty: DType) {
    for i in 0..m {
        (0..n).for_each(|j| poke(core, Loc::Acc, acc_at(m, (i, j)), ty, sample(4, i, j)));
    }
}

const NOTHING_MORE: [i64; 11] = [0; 11];

#[test]
fn the_fixpipe_of_a5_in_every_order() {
    let mut core = core(Arch::A5);
    let (m, n) = (16, 40);
    accumulator(&mut core, m, 48, DType::F32);
    core.spr.loop3_para = 1;
    core.spr.channel_para = 1 << 48;
    let to_ub = |core: &mut Core, ty, stride, mode, relu, split, rows, columns| {
        let pointers = [ptr(Loc::Vec, 0, ty), ptr(Loc::Acc, 0, DType::F32)];
        let mut numbers = vec![0, n as i64, m as i64, stride, m as i64, 0, 0, 0, 0, mode, relu, split, rows];
        numbers.extend(&NOTHING_MORE[..10]);
        numbers.push(columns);
        core.mem.preset(Loc::Vec, 0, &[0x55; 1 << 14]).unwrap();
        call(core, "copy_matrix_cc_to_ub", &pointers, &numbers).unwrap();
    };
    let at = |core: &Core, element: u64, ty: DType| peek(core, Loc::Vec, element * ty.bytes(), ty);
    let places = [(0u64, 0u64), (3, 17), (15, 39), (7, 8)];
    to_ub(&mut core, DType::F16, 48, 1, 0, 0, 1, 0);
    for (i, j) in places {
        assert_eq!(at(&core, i * 48 + j, DType::F16), sample(4, i, j) as f64);
    }
    assert_eq!(core.mem.bytes(Loc::Vec)[80..96], [0x55; 16]);
    to_ub(&mut core, DType::F32, 24, 0, 1, 0, 0, 1);
    for (i, j) in places {
        assert_eq!(at(&core, j * 24 + i, DType::F32), sample(4, i, j).max(0) as f64);
    }
    to_ub(&mut core, DType::BF16, 16 * 16, 16, 0, 0, 0, 0);
    for (i, j) in places {
        assert_eq!(at(&core, j / 16 * 256 + i * 16 + j % 16, DType::BF16), sample(4, i, j) as f64);
    }
    to_ub(&mut core, DType::F32, 16 * 8, 0, 0, 1, 0, 0);
    for (i, j) in places {
        assert_eq!(at(&core, j / 8 * 128 + i * 8 + j % 8, DType::F32), sample(4, i, j) as f64);
    }
    // Signed bytes, scale 2.5, offset -3.
    core.spr.quant_pre = u64::from(2.5f32.to_bits()) | 1 << 46 | (512 - 3) << 37;
    to_ub(&mut core, DType::I8, 32 * 16, 24, 0, 0, 0, 0);
    for (i, j) in places {
        let want = (sample(4, i, j) as f64 * 2.5).round_ties_even() - 3.0;
        assert_eq!(at(&core, j / 32 * 512 + i * 32 + j % 32, DType::I8), want);
    }
}

/// One word a column: column j is multiplied by j.
#[test]
fn the_fixpipe_takes_words_from_its_buffer() {
    for arch in Arch::ALL {
        let mut core = core(arch);
        accumulator(&mut core, 16, 32, DType::I32);
        for j in 0..32u64 {
            let word = u64::from((j as f32).to_bits());
            core.mem.preset(Loc::Scaling, 256 + 8 * j, &word.to_le_bytes()).unwrap();
        }
        core.spr.fpc = 2 << 8;
        let pointers = [ptr(Loc::Mat, 0, DType::F16), ptr(Loc::Acc, 0, DType::I32)];
        let (mode, stride) = if arch == Arch::A2A3 { (10, 16) } else { (10, 256) };
        let mut numbers = vec![0, 32, 16, stride, 16];
        match arch {
            Arch::A2A3 => numbers.extend([0, mode, 1, 0, 0]),
            Arch::A5 => {
                numbers.extend([0, 0, 0, mode, 1, 0, 0]);
                numbers.extend(NOTHING_MORE);
            }
        }
        call(&mut core, "copy_matrix_cc_to_cbuf", &pointers, &numbers).unwrap();
        for (i, j) in [(0, 0), (5, 31), (15, 16), (2, 9)] {
            let got = peek(&core, Loc::Mat, j / 16 * 512 + i * 32 + j % 16 * 2, DType::F16);
            assert_eq!(got, (sample(4, i, j).max(0) * j as i64) as f64, "{arch}");
        }
    }
}

/// Two matrices of 16 columns, atomically added to global memory, row by row.
#[test]
fn the_fixpipe_stores_matrices_to_global_memory() {
    let mut core = core(Arch::A2A3);
    accumulator(&mut core, 16, 32, DType::F32);
    core.mem.preset(Loc::Gm, 0, &1f32.to_le_bytes()).unwrap();
    core.spr.nd_para = 2 | 1 << 16 | 1000 << 32;
    core.spr.atomic_type = 1;
    let pointers = [ptr(Loc::Gm, 0, DType::F32), ptr(Loc::Acc, 0, DType::F32)];
    let (xm, xt) = (16i64 << 4 | 16 << 16 | 20 << 32, 16 | 1i64 << 43);
    call(&mut core, "copy_matrix_cc_to_gm", &pointers, &[xm, xt]).unwrap();
    for (i, j) in [(0, 0), (9, 13), (15, 31)] {
        let got = peek(&core, Loc::Gm, (j / 16 * 1000 + i * 20 + j % 16) * 4, DType::F32);
        assert_eq!(got, (sample(4, i, j) + i64::from((i, j) == (0, 0))) as f64);
    }
}

#[test]
fn parameters_move_and_fill() {
    let mut core = core(Arch::A2A3);
    let f32s = ptr(Loc::Mat, 64, DType::F32);
    call(&mut core, "create_cbuf_matrix", &[f32s], &[2 | 1 << 16 | 1 << 32, 1.5f32.to_bits().into()]).unwrap();
    assert_eq!([64, 92, 128, 156].map(|at| peek(&core, Loc::Mat, at, DType::F32)), [1.5; 4]);
    assert_eq!(core.mem.bytes(Loc::Mat)[96..128], [0; 32]);
    (0..64).for_each(|j| poke(&mut core, Loc::Mat, 512 + 2 * j, DType::F16, j as i64));
    let pointers = [ptr(Loc::Bias, 0, DType::F32), ptr(Loc::Mat, 512, DType::F16)];
    call(&mut core, "copy_cbuf_to_bt", &pointers, &[1, 1, 2, 0, 0]).unwrap();
    assert_eq!([0, 252].map(|at| peek(&core, Loc::Bias, at, DType::F32)), [0.0, 63.0]);
    let pointers = [ptr(Loc::Scaling, 128, DType::U64), ptr(Loc::Mat, 512, DType::U64)];
    call(&mut core, "copy_cbuf_to_fbuf", &pointers, &[1, 1, 0, 0]).unwrap();
    assert_eq!(core.mem.bytes(Loc::Scaling)[128..256], core.mem.bytes(Loc::Mat)[512..640]);
}

#[test]
fn wrong_arguments_are_faults() {
    let mut core = core(Arch::A5);
    let mad = [ptr(Loc::Acc, 0, DType::F32), ptr(Loc::Left, 0, DType::F16), ptr(Loc::Right, 0, DType::F16)];
    assert!(call(&mut core, "mad", &mad, &[4095, 4095, 16, 0, 0, 0, 1]).is_err());
    assert!(call(&mut core, "mad", &mad, &[4096, 16, 16, 0, 0, 0, 1]).is_err());
    assert!(call(&mut core, "mad_mx", &mad, &[16, 63, 16, 0, 0, 0, 1]).is_err());
    assert!(call(&mut core, "mad", &mad[..2], &[]).is_err());
    let far = [ptr(Loc::Left, !511, DType::F16), ptr(Loc::Mat, 0, DType::F16)];
    assert!(call(&mut core, "load_cbuf_to_ca", &far, &[0, 0, 1, 1, 1, 1, 0]).is_err());
    let fixpipe = [ptr(Loc::Gm, 0, DType::F32), ptr(Loc::Acc, 0, DType::F32)];
    assert!(call(&mut core, "copy_matrix_cc_to_gm", &fixpipe, &[16 << 4 | 16 << 16, 16 | 17 << 34]).is_err());
    let both = 16 | 1 << 42 | 1 << 43;
    assert!(call(&mut core, "copy_matrix_cc_to_gm", &fixpipe, &[16 << 4 | 16 << 16, both]).is_err());
}

/// Arguments that nobody would write end in a fault or do something; they never stop the program.
#[test]
fn no_arguments_panic() {
    let mut state = 1u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let numbers = [0, 1, 2, 3, 8, 15, 16, 17, 32, 64, 255, 256, 4095, 65535, -1, i64::MAX, i64::MIN, 1 << 40, 1 << 46];
    let spaces =
        [Loc::Gm, Loc::Mat, Loc::Left, Loc::Right, Loc::Acc, Loc::Vec, Loc::Bias, Loc::Scaling, Loc::ScaleLeft];
    for (arch, table) in [(Arch::A2A3, super::A2A3), (Arch::A5, super::A5)] {
        let mut core = core(arch);
        for intrinsic in table {
            for _ in 0..200 {
                core.spr.nd_para = next(u64::MAX);
                core.spr.loop3_para = next(4) | next(1 << 30) << 16;
                core.spr.fmatrix = [next(1 << 31) | next(1 << 31) << 32; 2];
                core.spr.l3d_rpt = [next(1 << 31) << 16; 2];
                core.spr.fpc = next(1 << 16);
                let count = next(27) as usize;
                let list: Vec<Arg> = (0..count)
                    .map(|i| {
                        let ty = DType::ALL[next(DType::ALL.len() as u64) as usize];
                        let ty = if next(2) == 0 { DType::F16 } else { ty };
                        let addr = [0, 512, 1024, 32, 7, 1 << 17, 1 << 33, u64::MAX][next(8) as usize];
                        // Mostly a plausible pointer in a plausible place.
                        match (i, next(10)) {
                            (0..3, 0..9) => {
                                let plain = match (intrinsic.name, i) {
                                    (name, 0) if name.ends_with("_cb") || name.contains("_cb_") => Loc::Right,
                                    (name, 0) if name.contains("to_gm") => Loc::Gm,
                                    (name, 0) if name.contains("to_ub") => Loc::Vec,
                                    (name, 1) if name.contains("matrix_cc") => Loc::Acc,
                                    (name, i) if name.starts_with("mad") => [Loc::Acc, Loc::Left, Loc::Right][i],
                                    (name, 0) if name.contains("to_ca") => Loc::Left,
                                    _ if i == 2 => return Arg::Int(numbers[next(19) as usize]),
                                    _ => Loc::Mat,
                                };
                                ptr(if next(8) == 0 { spaces[next(9) as usize] } else { plain }, addr, ty)
                            }
                            (_, 0) => Arg::Word("NoQuant"),
                            (_, n) => Arg::Int(numbers[next(if n < 4 { 19 } else { 11 }) as usize]),
                        }
                    })
                    .collect();
                core.mem.begin();
                let _ = (intrinsic.run)(&mut core, &Args { name: intrinsic.name, list: &list });
            }
        }
    }
}
