//! Each family of vector intrinsics on one register, against its definition.

use super::super::{Arg, Args, Core, Fault, FaultKind, Ptr, find};
use ptoc_target::{Arch, DType, Loc, Target};

const F: DType = DType::F32;
const H: DType = DType::F16;

fn core() -> Core {
    Core::new(Target::A5)
}

fn try_call(core: &mut Core, name: &str, list: &[Arg]) -> Result<(), Fault> {
    let f = find(Arch::A5, name).unwrap_or_else(|| panic!("{name} is not there"));
    (f.run)(core, &Args { name, list })
}

fn call(core: &mut Core, name: &str, list: &[Arg]) {
    try_call(core, name, list).unwrap();
}

fn v(id: u32, elem: DType) -> Arg {
    Arg::Reg { id, elem }
}

fn ub(addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space: Loc::Vec, addr, elem: Some(elem) })
}

const ZERO: Arg = Arg::Int(0);

fn p(id: u32) -> Arg {
    Arg::Mask(id)
}

fn w(word: &'static str) -> Arg {
    Arg::Word(word)
}

fn real(x: f32) -> Arg {
    Arg::Float { ty: F, bits: x.to_bits().into() }
}

/// Puts single-precision numbers into a register, zeros behind them.
fn set(core: &mut Core, id: u32, x: &[f32]) {
    let mut reg = [0; 256];
    for (to, x) in reg.chunks_exact_mut(4).zip(x) {
        to.copy_from_slice(&x.to_le_bytes());
    }
    core.vregs.resize(core.vregs.len().max(id as usize + 1), [0; 256]);
    core.vregs[id as usize] = reg;
}

fn get(core: &Core, id: usize, n: usize) -> Vec<f32> {
    core.vregs[id].chunks(4).take(n).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

fn halves(core: &Core, id: usize) -> Vec<u16> {
    core.vregs[id].chunks(2).map(|b| u16::from_le_bytes(b.try_into().unwrap())).collect()
}

/// A predicate with the first `n` lanes of `name`'s width on.
fn first(core: &mut Core, name: &str, id: u32, n: i64) {
    call(core, name, &[p(id), Arg::Int(n), w("POST_UPDATE")]);
}

#[test]
fn lanes_that_are_off_become_zero_or_stay() {
    let mut c = core();
    set(&mut c, 0, &[1.0, 2.0, 3.0]);
    set(&mut c, 1, &[10.0, 20.0, 30.0]);
    set(&mut c, 2, &[7.0; 64]);
    first(&mut c, "plt_b32", 0, 2);
    call(&mut c, "vadd", &[v(2, F), v(0, F), v(1, F), p(0), w("MODE_MERGING")]);
    assert_eq!(get(&c, 2, 3), [11.0, 22.0, 7.0]);
    call(&mut c, "vmuls", &[v(2, F), v(0, F), real(2.0), p(0)]);
    assert_eq!(get(&c, 2, 3), [2.0, 4.0, 0.0]);
}

#[test]
fn a_count_of_lanes_leaves_the_rest_for_the_next_register() {
    let mut c = core();
    first(&mut c, "plt_b16", 0, 130);
    assert_eq!(c.masks[0], [0x5555_5555_5555_5555; 4]);
    assert_eq!(c.handed_back("plt_b16"), 2);
    first(&mut c, "plt_b16", 0, 2);
    assert_eq!((c.masks[0], c.handed_back("plt_b16")), ([0b101, 0, 0, 0], 0));
}

#[test]
fn predicates_of_one_width_serve_another() {
    // A predicate of 16-bit lanes governs 32-bit lane i by its bit 4i.
    let mut c = core();
    set(&mut c, 0, &[1.0; 64]);
    first(&mut c, "plt_b16", 0, 4);
    call(&mut c, "vmov", &[v(1, F), v(0, F), p(0), w("MODE_ZEROING")]);
    assert_eq!(get(&c, 1, 4), [1.0, 1.0, 0.0, 0.0]);
    call(&mut c, "punpack", &[p(1), p(0), w("LOWER")]);
    assert_eq!(c.masks[1], [0x1111, 0, 0, 0]);
    call(&mut c, "ppack", &[p(2), p(1), w("LOWER")]);
    assert_eq!(c.masks[2], c.masks[0]);
    call(&mut c, "pintlv_b16", &[p(3), p(4), p(0), p(1)]);
    // Pairs of bits in turn: 01 01 01 01 of the first, 01 00 01 00 01 00 01 00 of the second.
    assert_eq!((c.masks[3], c.masks[4]), ([0x0404_1515, 0, 0, 0], [0; 4]));
    call(&mut c, "pdintlv_b16", &[p(5), p(6), p(3), p(4)]);
    assert_eq!((c.masks[5], c.masks[6]), (c.masks[0], c.masks[1]));
}

#[test]
fn loads_spread_what_they_read() {
    let mut c = core();
    let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
    c.mem.preset(Loc::Vec, 64, &bytes).unwrap();
    let mut load = |ty, dist| {
        call(&mut c, "vlds", &[v(0, ty), ub(32, ty), Arg::Int(32 / ty.bytes() as i64), w(dist)]);
        c.vregs[0]
    };
    assert_eq!(load(F, "NORM")[..], bytes[..256]);
    assert!(load(F, "BRC_B32").chunks(4).all(|l| l == [0, 1, 2, 3]));
    assert!(load(H, "BLK").chunks(32).all(|b| b == &bytes[..32]));
    assert!(load(H, "E2B_B16").chunks(32).enumerate().all(|(i, b)| b.chunks(2).all(|e| e == &bytes[2 * i..2 * i + 2])));
    assert!(load(DType::I8, "UNPK_B8").chunks(2).enumerate().all(|(i, l)| l == [i as u8, 0]));
    assert!(load(DType::I8, "UNPK4_B8").chunks(4).enumerate().all(|(i, l)| l == [i as u8, 0, 0, 0]));
    assert!(
        load(H, "US_B16").chunks(4).enumerate().all(|(i, l)| l[..2] == bytes[2 * i..2 * i + 2] && l[..2] == l[2..])
    );
    call(&mut c, "vlds", &[v(0, H), v(1, H), ub(64, H), ZERO, w("DINTLV_B16")]);
    assert_eq!((c.vregs[0][2..4].to_vec(), c.vregs[1][2..4].to_vec()), (vec![4, 5], vec![6, 7]));
}

#[test]
fn stores_write_working_lanes_only() {
    let mut c = core();
    c.vregs.push(std::array::from_fn(|i| i as u8));
    first(&mut c, "plt_b32", 0, 3);
    let mut store = |ty: DType, dist| {
        c.mem.preset(Loc::Vec, 0, &[0xee; 512]).unwrap();
        c.mem.begin();
        call(&mut c, "vsts", &[v(0, ty), ub(0, ty), ZERO, w(dist), p(0)]);
        c.mem.bytes(Loc::Vec)[..16].to_vec()
    };
    let e = 0xee;
    assert_eq!(store(F, "NORM_B32"), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, e, e, e, e]);
    assert_eq!(store(H, "PK_B32"), [0, 1, 4, 5, 8, 9, e, e, e, e, e, e, e, e, e, e]);
    assert_eq!(store(DType::I8, "PK4_B32"), [0, 4, 8, e, e, e, e, e, e, e, e, e, e, e, e, e]);
    assert_eq!(store(H, "ONEPT_B16")[..4], [0, 1, e, e]);
    // Lanes of 16 bits look at every second bit, of which the predicate has every second one.
    assert_eq!(store(H, "NORM_B16")[..12], [0, 1, e, e, 4, 5, e, e, 8, 9, e, e]);
}

#[test]
fn blocks_go_apart() {
    let mut c = core();
    c.vregs.push(std::array::from_fn(|i| i as u8));
    call(&mut c, "pset_b8", &[p(0), w("PAT_ALL")]);
    call(&mut c, "vsstb", &[v(0, F), ub(0, F), Arg::Int(3 << 16 | 5), p(0), w("POST_UPDATE")]);
    let m = c.mem.bytes(Loc::Vec);
    assert_eq!((m[96], m[97], m[7 * 96], m[32]), (32, 33, 224, 0));
    assert_eq!(c.handed_back("vsstb"), 160);
}

#[test]
fn a_store_stream_writes_what_a_plain_store_would() {
    let mut c = core();
    c.mem.preset(Loc::Vec, 0, &[0xee; 512]).unwrap();
    c.vregs.push(std::array::from_fn(|i| i as u8));
    let (u, u8) = (Arg::Align(0), DType::U8);
    call(&mut c, "vstus", &[u.clone(), Arg::Int(20), v(0, u8), ub(37, u8), w("POST_UPDATE")]);
    assert_eq!(c.mem.bytes(Loc::Vec)[37], 0xee);
    call(&mut c, "vstus", &[u.clone(), Arg::Int(100), v(0, u8), ub(57, u8), w("POST_UPDATE")]);
    assert_eq!(c.handed_back("vstus"), 157);
    let wrong = try_call(&mut c, "vstas", &[u.clone(), ub(150, u8), ZERO]).unwrap_err();
    assert_eq!(wrong.kind, FaultKind::BadArgument);
    call(&mut c, "vstas", &[u, ub(157, u8), ZERO]);
    let want: Vec<u8> = [0xee; 37].into_iter().chain(0..20).chain(0..100).chain([0xee; 3]).collect();
    assert_eq!(c.mem.bytes(Loc::Vec)[..160], want);
}

#[test]
fn an_unaligned_load_needs_its_first_block() {
    let mut c = core();
    c.mem.preset(Loc::Vec, 0, &(0..=255).collect::<Vec<u8>>()).unwrap();
    let (u, u8) = (Arg::Align(0), DType::U8);
    let load = [v(0, u8), u.clone(), ub(5, u8)];
    assert_eq!(try_call(&mut c, "vldus", &load).unwrap_err().kind, FaultKind::BadArgument);
    call(&mut c, "vldas", &[u.clone(), ub(5, u8)]);
    call(&mut c, "vldus", &load);
    assert_eq!(c.vregs[0][..3], [5, 6, 7]);
    call(&mut c, "vldus", &[v(0, u8), u, ub(261, u8)]);
}

#[test]
fn squeezed_lanes_reach_memory_without_gaps() {
    let mut c = core();
    set(&mut c, 0, &[1.0, -2.0, 3.0, -4.0]);
    call(&mut c, "pset_b32", &[p(0), w("PAT_ALL")]);
    call(&mut c, "sprclr", &[w("SPR_AR")]);
    for name in ["vcmps_gt", "vcmps_lt"] {
        call(&mut c, name, &[p(1), v(0, F), real(0.0), p(0)]);
        call(&mut c, "vsqz", &[v(1, F), v(0, F), p(1), w("MODE_STORED")]);
        call(&mut c, "vstur", &[Arg::Align(0), v(1, F), ub(64, F), w("POST_UPDATE")]);
    }
    call(&mut c, "vstar", &[Arg::Align(0), ub(64, F)]);
    let got: Vec<f32> =
        c.mem.bytes(Loc::Vec)[64..80].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(got, [1.0, 3.0, -2.0, -4.0]);
    call(&mut c, "sprsts", &[w("SPR_AR"), ub(0, DType::U32), Arg::Int(8)]);
    assert_eq!(c.mem.bytes(Loc::Vec)[8], 16);
}

#[test]
fn reductions_give_the_first_extreme() {
    let mut c = core();
    set(&mut c, 0, &[1.0, 5.0, 5.0, 9.0, -1.0]);
    first(&mut c, "plt_b32", 0, 3);
    call(&mut c, "vcmax", &[v(1, F), v(0, F), p(0)]);
    assert_eq!((get(&c, 1, 1)[0], c.vregs[1][4]), (5.0, 1));
    call(&mut c, "vcmin", &[v(1, F), v(0, F), p(0)]);
    assert_eq!((get(&c, 1, 1)[0], c.vregs[1][4]), (1.0, 0));
    call(&mut c, "vcadd", &[v(1, F), v(0, F), p(0)]);
    assert_eq!(get(&c, 1, 2), [11.0, 0.0]);
    call(&mut c, "pset_b32", &[p(0), w("PAT_ALLF")]);
    call(&mut c, "vcmax", &[v(1, F), v(0, F), p(0)]);
    assert_eq!(get(&c, 1, 1), [f32::NEG_INFINITY]);
}

#[test]
fn sums_of_short_integers_are_wider() {
    let mut c = core();
    c.vregs.push([0x7f; 256]);
    call(&mut c, "pset_b16", &[p(0), w("PAT_ALL")]);
    call(&mut c, "vcadd", &[v(1, DType::I32), v(0, DType::I16), p(0)]);
    assert_eq!(i32::from_le_bytes(c.vregs[1][..4].try_into().unwrap()), 128 * 0x7f7f);
}

#[test]
fn carries_chain() {
    let mut c = core();
    c.vregs = vec![[0xff; 256], [0; 256], [0; 256]];
    c.vregs[1][0] = 1;
    call(&mut c, "pset_b32", &[p(0), w("PAT_ALL")]);
    let i = DType::I32;
    call(&mut c, "vaddc", &[p(1), v(2, i), v(0, i), v(1, i), p(0)]);
    assert_eq!((c.masks[1], c.vregs[2][..5].to_vec()), ([1, 0, 0, 0], vec![0, 0, 0, 0, 0xff]));
    call(&mut c, "vaddcs", &[p(2), v(2, i), v(1, i), v(1, i), p(1), p(0)]);
    assert_eq!(c.vregs[2][..5], [3, 0, 0, 0, 0]);
    call(&mut c, "vsubc", &[p(2), v(2, i), v(1, i), v(0, i), p(0)]);
    assert_eq!((c.masks[2], c.vregs[2][..5].to_vec()), ([0; 4], vec![2, 0, 0, 0, 1]));
}

#[test]
fn halves_of_a_conversion() {
    let mut c = core();
    set(&mut c, 0, &[1.0, 2.0, 1e9]);
    call(&mut c, "pset_b32", &[p(0), w("PAT_ALL")]);
    let words = ["ROUND_R", "RS_DISABLE", "PART_ODD"].map(w);
    let args: Vec<Arg> = [v(1, H), v(0, F), p(0)].into_iter().chain(words).collect();
    call(&mut c, "vcvt", &args);
    assert_eq!(halves(&c, 1)[..6], [0, 0x3c00, 0, 0x4000, 0, 0x7c00]);
    // Control bit 60 makes bit 48 decide, which is off: saturate.
    call(&mut c, "set_ctrl", &[Arg::Int(1 << 60)]);
    call(&mut c, "vcvt", &args);
    assert_eq!(halves(&c, 1)[5], 0x7bff);
    call(&mut c, "pset_b16", &[p(0), w("PAT_ALL")]);
    call(&mut c, "vcvt", &[v(2, F), v(1, H), p(0), w("PART_ODD")]);
    assert_eq!(get(&c, 2, 3), [1.0, 2.0, 65504.0]);
}

#[test]
fn floats_to_integers_of_their_width() {
    let mut c = core();
    set(&mut c, 0, &[2.5, -2.5, 5e9, f32::NEG_INFINITY, f32::NAN, 1e30]);
    call(&mut c, "pset_b32", &[p(0), w("PAT_ALL")]);
    let mut convert = |sat| {
        let args = [v(1, DType::I32), v(0, F), p(0), w("ROUND_A"), w(sat)];
        call(&mut c, "vcvt", &args);
        c.vregs[1].chunks(4).take(6).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(convert("RS_ENABLE"), [3, -3, i32::MAX, i32::MIN, 0, i32::MAX]);
    // Without saturation the low bits stay.
    assert_eq!(convert("RS_DISABLE"), [3, -3, 5_000_000_000u64 as i32, i32::MIN, 0, 0]);
}

#[test]
fn gathers_and_scatters() {
    let mut c = core();
    c.mem.preset(Loc::Vec, 0, &(0..=255).collect::<Vec<u8>>()).unwrap();
    c.vregs.push([0; 256]);
    (0..128).for_each(|i| c.vregs[0][2 * i] = 255 - i as u8);
    call(&mut c, "pset_b16", &[p(0), w("PAT_ALL")]);
    call(&mut c, "vgather2", &[v(1, DType::U16), ub(0, DType::U8), v(0, DType::U16), p(0)]);
    assert!(halves(&c, 1).iter().enumerate().all(|(i, x)| *x == 255 - i as u16));
    call(&mut c, "vscatter", &[v(0, DType::I8), ub(1024, DType::I8), v(1, DType::U16), p(0)]);
    assert_eq!((c.mem.bytes(Loc::Vec)[1024 + 255], c.mem.bytes(Loc::Vec)[1024 + 128]), (255, 128));
}

#[test]
fn groups_are_sorted_and_lists_merged() {
    let mut c = core();
    let floats = |x: &[f32]| x.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let scores: Vec<f32> = (0..64).map(|i| (i * 37 % 64) as f32).collect();
    let indices: Vec<u8> = (0..64u32).flat_map(|i| i.to_le_bytes()).collect();
    c.mem.preset(Loc::Vec, 0, &floats(&scores)).unwrap();
    c.mem.preset(Loc::Vec, 256, &indices).unwrap();
    call(&mut c, "vbitsort", &[ub(512, F), ub(0, F), ub(256, DType::U32), Arg::Int(2)]);
    let lists = Arg::List(vec![ub(512, F), ub(768, F), ub(0, F), ub(0, F)]);
    call(&mut c, "vmrgsort4", &[ub(1024, F), lists, Arg::Int(32 << 16 | 32), Arg::Int(1 | 3 << 8)]);
    let records = &c.mem.bytes(Loc::Vec)[1024..1024 + 512];
    for (i, r) in records.chunks(8).enumerate() {
        let (score, index) = (f32::from_le_bytes(r[..4].try_into().unwrap()), r[4] as usize);
        assert_eq!((score, scores[index]), (63.0 - i as f32, score));
    }
    assert_eq!(c.handed_back("get_vms4_sr"), 32 << 16 | 32);
}

#[test]
fn counters_are_cumulative() {
    let mut c = core();
    c.vregs = vec![[0; 256], [200; 256]];
    c.vregs[1][..3].copy_from_slice(&[0, 5, 127]);
    first(&mut c, "plt_b8", 0, 10);
    call(&mut c, "chistv2", &[v(0, DType::U16), v(1, DType::U8), p(0), w("Bin_N0")]);
    let n = halves(&c, 0);
    assert_eq!((n[0], n[4], n[5], n[127]), (1, 1, 2, 3));
    call(&mut c, "chistv2", &[v(0, DType::U16), v(1, DType::U8), p(0), w("Bin_N1")]);
    let n = halves(&c, 0);
    assert_eq!((n[0], n[71], n[72]), (4, 5, 12));
}

#[test]
fn what_is_refused() {
    let mut c = core();
    let mut kind = |name: &str, list: &[Arg]| try_call(&mut c, name, list).unwrap_err().kind;
    assert_eq!(kind("vlds", &[v(0, F), ub(4, F), ZERO, w("NORM")]), FaultKind::Misaligned);
    assert_eq!(kind("vlds", &[v(0, F), ub(256 * 1024 - 32, F), ZERO, w("NORM")]), FaultKind::OutOfRange);
    assert_eq!(kind("vlds", &[v(0, F), ub(0, F), ZERO, w("SPLT4CHN")]), FaultKind::Unsupported);
    assert_eq!(kind("vlds", &[v(0, F), ub(0, F), ZERO, w("DINTLV_B32")]), FaultKind::Unsupported);
    assert_eq!(kind("vadd", &[v(0, DType::I64), v(0, DType::I64), v(0, DType::I64), p(0)]), FaultKind::Unsupported);
    assert_eq!(kind("vadd", &[v(u32::MAX, F), v(0, F), v(0, F), p(0)]), FaultKind::BadArgument);
    assert_eq!(kind("vexp", &[v(0, F), v(0, F)]), FaultKind::BadArgument);
    assert_eq!(kind("vstus", &[Arg::Align(0), Arg::Int(65), v(0, F), ub(0, F)]), FaultKind::BadArgument);
}
