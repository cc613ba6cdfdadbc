//! Each family of vector intrinsics on a few lanes, against its definition.

use super::super::{Arg, Args, Core, Fault, FaultKind, Ptr, find};
use ptoc_target::{Arch, DType, Loc, Target};

/// A core whose UB holds noise.
pub(super) fn core() -> Core {
    let mut core = Core::new(Target::A2A3);
    let noise: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    core.mem.preset(Loc::Vec, 0, &noise).unwrap();
    core
}

pub(super) fn ub(addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space: Loc::Vec, addr, elem: Some(elem) })
}

pub(super) fn call(core: &mut Core, name: &str, list: &[Arg]) -> Result<(), Fault> {
    let f = find(Arch::A2A3, name).unwrap_or_else(|| panic!("{name} is not there"));
    (f.run)(core, &Args { name, list })
}

/// `call` with integers after the pointers.
pub(super) fn run(core: &mut Core, name: &str, ptrs: &[Arg], ints: &[i64]) {
    let list: Vec<Arg> = ptrs.iter().cloned().chain(ints.iter().map(|n| Arg::Int(*n))).collect();
    call(core, name, &list).unwrap();
}

pub(super) fn put(core: &mut Core, at: u64, v: &[f32]) {
    let bytes: Vec<u8> = v.iter().flat_map(|x| x.to_le_bytes()).collect();
    core.mem.preset(Loc::Vec, at, &bytes).unwrap();
}

pub(super) fn get(core: &Core, at: usize, n: usize) -> Vec<f32> {
    core.mem.bytes(Loc::Vec)[at..at + 4 * n].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

pub(super) fn words(core: &Core, at: usize, n: usize) -> Vec<u32> {
    core.mem.bytes(Loc::Vec)[at..at + 4 * n].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

const F: DType = DType::F32;

#[test]
fn a_count_of_elements_leaves_the_rest_of_the_block() {
    let mut c = core();
    let (a, b): (Vec<f32>, Vec<f32>) = ((0..70).map(|i| i as f32).collect(), vec![0.5; 70]);
    put(&mut c, 0, &a);
    put(&mut c, 512, &b);
    let before = get(&c, 1024, 72);
    run(&mut c, "set_mask_count", &[], &[]);
    run(&mut c, "set_vector_mask", &[], &[0, 67]);
    run(&mut c, "vadd", &[ub(1024, F), ub(0, F), ub(512, F)], &[0, 1, 1, 1, 8, 8, 8]);
    let after = get(&c, 1024, 72);
    assert!((0..67).all(|i| after[i] == i as f32 + 0.5));
    assert_eq!(
        after[67..].iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
        before[67..].iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    );
}

#[test]
fn a_bit_mask_selects_lanes_of_every_repeat() {
    let mut c = core();
    put(&mut c, 0, &[1.0; 128]);
    put(&mut c, 512, &[2.0; 128]);
    put(&mut c, 1024, &[9.0; 128]);
    run(&mut c, "set_vector_mask", &[], &[-1, 0b1010]);
    run(&mut c, "vmul", &[ub(1024, F), ub(0, F), ub(512, F)], &[2, 1, 1, 1, 8, 8, 8]);
    let after = get(&c, 1024, 128);
    for (i, x) in after.iter().enumerate() {
        assert_eq!(*x, if i % 64 == 1 || i % 64 == 3 { 2.0 } else { 9.0 }, "{i}");
    }
}

#[test]
fn repeats_accumulate_where_the_destination_stays() {
    let mut c = core();
    put(&mut c, 0, &(0..256).map(|i| (i / 64) as f32).collect::<Vec<_>>());
    put(&mut c, 1024, &[10.0; 64]);
    run(&mut c, "vadd", &[ub(1024, F), ub(0, F), ub(1024, F)], &[4, 1, 1, 1, 0, 8, 0]);
    assert_eq!(get(&c, 1024, 64), [16.0; 64]);
}

#[test]
fn products_are_rounded_before_the_sum() {
    let mut c = core();
    let big = f32::MAX;
    put(&mut c, 0, &[big; 64]);
    put(&mut c, 256, &[big; 64]);
    put(&mut c, 512, &[f32::NEG_INFINITY; 64]);
    run(&mut c, "vmla", &[ub(512, F), ub(0, F), ub(256, F)], &[1, 1, 1, 1, 8, 8, 8]);
    assert!(get(&c, 512, 64).iter().all(|x| x.is_nan()));
}

#[test]
fn signs_and_nan_of_the_extremes() {
    let mut c = core();
    put(&mut c, 0, &[0.0, -0.0, f32::NAN, 1.0]);
    put(&mut c, 256, &[-0.0, 0.0, 1.0, f32::NAN]);
    run(&mut c, "set_vector_mask", &[], &[0, 15]);
    run(&mut c, "vmax", &[ub(512, F), ub(0, F), ub(256, F)], &[1, 1, 1, 1, 8, 8, 8]);
    run(&mut c, "vmin", &[ub(768, F), ub(0, F), ub(256, F)], &[1, 1, 1, 1, 8, 8, 8]);
    assert_eq!(words(&c, 512, 4), [0, 0, 0x7fc0_0000, 0x7fc0_0000]);
    assert_eq!(words(&c, 768, 4), [0x8000_0000, 0x8000_0000, 0x7fc0_0000, 0x7fc0_0000]);
}

#[test]
fn halves_keep_infinities_only_when_the_control_word_says_so() {
    let mut c = core();
    c.mem.preset(Loc::Vec, 0, &0x7bffu16.to_le_bytes()).unwrap();
    let h = DType::F16;
    for (ctrl, want) in [(1i64 << 48, 0x7c00u16), (0, 0x7bff)] {
        run(&mut c, "set_ctrl", &[], &[ctrl]);
        run(&mut c, "set_vector_mask", &[], &[0, 1]);
        run(&mut c, "vadd", &[ub(256, h), ub(0, h), ub(0, h)], &[1, 1, 1, 1, 8, 8, 8]);
        assert_eq!(c.mem.bytes(Loc::Vec)[256..258], want.to_le_bytes());
    }
}

#[test]
fn what_is_refused() {
    let mut c = core();
    let mut kind = |addr: u64, ints: [i64; 7]| {
        let list: Vec<Arg> = [ub(addr, F), ub(0, F), ub(0, F)].into_iter().chain(ints.map(Arg::Int)).collect();
        call(&mut c, "vadd", &list).unwrap_err().kind
    };
    assert_eq!(kind(4, [1, 1, 1, 1, 8, 8, 8]), FaultKind::Misaligned);
    assert_eq!(kind(196608 - 32, [1, 1, 1, 1, 8, 8, 8]), FaultKind::OutOfRange);
    assert_eq!(kind(0, [256, 1, 1, 1, 8, 8, 8]), FaultKind::BadArgument);
    assert_eq!(kind(0, [1, -1, 1, 1, 8, 8, 8]), FaultKind::BadArgument);
    let list = [ub(0, DType::BF16), ub(0, DType::BF16), ub(0, DType::BF16)];
    assert_eq!(call(&mut c, "vadd", &list).unwrap_err().kind, FaultKind::Unsupported);
}

#[test]
fn copies_count_each_repeat() {
    let mut c = core();
    run(&mut c, "set_mask_count", &[], &[]);
    run(&mut c, "set_vector_mask", &[], &[0, 72]);
    let before = words(&c, 2048, 200);
    run(&mut c, "vcopy", &[ub(2048, DType::U32), ub(0, DType::U32)], &[2, 1, 1, 10, 9]);
    let after = words(&c, 2048, 200);
    assert_eq!(after[..72], words(&c, 0, 72));
    assert_eq!(after[72..80], before[72..80]);
    assert_eq!(after[80..152], words(&c, 288, 72));
    assert_eq!(after[152..], before[152..]);
}

#[test]
fn a_scalar_fills_as_many_elements_as_are_counted() {
    let mut c = core();
    run(&mut c, "set_mask_count", &[], &[]);
    run(&mut c, "set_vector_mask", &[], &[0, 70]);
    let before = words(&c, 280, 1);
    run(&mut c, "vector_dup", &[ub(0, DType::U32)], &[7, 0, 1, 1, 8, 0]);
    assert_eq!(words(&c, 0, 70), [7; 70]);
    assert_eq!(words(&c, 280, 1), before);
}

#[test]
fn shifts_of_signed_and_unsigned_elements() {
    let mut c = core();
    c.mem.preset(Loc::Vec, 0, &[0xf1, 0xff, 0x05, 0x00]).unwrap();
    run(&mut c, "set_vector_mask", &[], &[0, 3]);
    let mut shifted = |name: &str, ty: DType, by: i64, round: i64| {
        run(&mut c, name, &[ub(256, ty), ub(0, ty)], &[by, 1, 1, 1, 8, 8, round]);
        [0, 2].map(|i| u16::from_le_bytes(c.mem.bytes(Loc::Vec)[256 + i..258 + i].try_into().unwrap()))
    };
    assert_eq!(shifted("vshr", DType::I16, 1, 0), [0xfff8, 2]);
    assert_eq!(shifted("vshr", DType::I16, 1, 1), [0xfff9, 3]);
    assert_eq!(shifted("vshr", DType::U16, 4, 0), [0x0fff, 0]);
    assert_eq!(shifted("vshr", DType::I16, 16, 0), [0xffff, 0]);
    assert_eq!(shifted("vshl", DType::I16, 12, 0), [0x1000, 0x5000]);
    assert_eq!(shifted("vshl", DType::U16, 16, 0), [0, 0]);
}

#[test]
fn conversions_round_by_their_letter_and_saturate() {
    let mut c = core();
    put(&mut c, 0, &[2.5, -2.5, 1e9, f32::NAN]);
    run(&mut c, "set_vector_mask", &[], &[0, 15]);
    let mut to = |name: &str| {
        run(&mut c, name, &[ub(256, DType::I16), ub(0, F)], &[1, 1, 1, 4, 8]);
        [0, 2, 4, 6].map(|i| i16::from_le_bytes(c.mem.bytes(Loc::Vec)[256 + i..258 + i].try_into().unwrap()))
    };
    assert_eq!(to("vconv_f322s16r"), [2, -2, 32767, 0]);
    assert_eq!(to("vconv_f322s16a"), [3, -3, 32767, 0]);
    assert_eq!(to("vconv_f322s16f"), [2, -3, 32767, 0]);
    assert_eq!(to("vconv_f322s16c"), [3, -2, 32767, 0]);
    assert_eq!(to("vconv_f322s16z"), [2, -2, 32767, 0]);
    run(&mut c, "set_ctrl", &[], &[1 << 59 | 1 << 48]);
    let mut to = |name: &str| {
        run(&mut c, name, &[ub(256, DType::I16), ub(0, F)], &[1, 1, 1, 4, 8]);
        i16::from_le_bytes(c.mem.bytes(Loc::Vec)[260..262].try_into().unwrap())
    };
    // 1e9 is 0x3b9aca00.
    assert_eq!(to("vconv_f322s16z"), 0xca00u16 as i16);
}

#[test]
fn nibbles_leave_their_neighbour() {
    let mut c = core();
    let halves: Vec<u8> = [0x4000u16, 0xc880, 0x4200].iter().flat_map(|h| h.to_le_bytes()).collect();
    c.mem.preset(Loc::Vec, 0, &halves).unwrap();
    c.mem.preset(Loc::Vec, 256, &[0xaa; 64]).unwrap();
    run(&mut c, "set_vector_mask", &[], &[0, 7]);
    run(&mut c, "vconv_f162s4r", &[ub(256, DType::U8), ub(0, DType::F16)], &[1, 1, 1, 2, 8]);
    // 2, -9 saturated to -8, 3 beside what was there.
    assert_eq!(c.mem.bytes(Loc::Vec)[256..259], [0x82, 0xa3, 0xaa]);
    run(&mut c, "vconv_s42f16", &[ub(512, DType::F16), ub(256, DType::U8)], &[1, 1, 1, 8, 2]);
    assert_eq!(c.mem.bytes(Loc::Vec)[512..518], [0x00, 0x40, 0x00, 0xc8, 0x00, 0x42]);
}

#[test]
fn reductions_and_their_strides() {
    let mut c = core();
    put(&mut c, 0, &(0..128).map(|i| if i == 70 { 900.0 } else { i as f32 }).collect::<Vec<_>>());
    run(&mut c, "set_vector_mask", &[], &[0, -2]);
    let word = |c: &mut Core, name: &str, ints: &[i64], order: Option<&'static str>| {
        let mut list = vec![ub(1024, F), ub(0, F)];
        list.extend(ints.iter().map(|n| Arg::Int(*n)));
        list.extend(order.map(Arg::Word));
        call(c, name, &list).unwrap();
    };
    word(&mut c, "vcadd", &[2, 3, 1, 8, 0], None);
    assert_eq!([get(&c, 1024, 4)[0], get(&c, 1024, 4)[3]], [2016.0, 6112.0 - 64.0 - 70.0 + 900.0]);
    word(&mut c, "vcmax", &[2, 1, 1, 8], Some("VALUE_INDEX"));
    assert_eq!((get(&c, 1024, 3)[0], words(&c, 1028, 1)[0]), (63.0, 63));
    assert_eq!((get(&c, 1032, 1)[0], words(&c, 1036, 1)[0]), (900.0, 6));
    word(&mut c, "vcmin", &[2, 1, 1, 8], Some("ONLY_INDEX"));
    assert_eq!(words(&c, 1024, 2), [1, 1]);
    word(&mut c, "vcgmin", &[2, 1, 1, 8], None);
    assert_eq!(get(&c, 1024, 9), [1.0, 8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0, 65.0]);
    word(&mut c, "vcpadd", &[1, 1, 1, 8], None);
    assert_eq!(get(&c, 1024, 3), [1.0, 5.0, 9.0]);
}

#[test]
fn selections_by_register_scalar_and_address() {
    let mut c = core();
    put(&mut c, 0, &[1.0; 64]);
    put(&mut c, 256, &[2.0; 64]);
    c.mem.preset(Loc::Vec, 512, &[0b101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    run(&mut c, "set_cmpmask", &[ub(512, DType::U8)], &[]);
    run(&mut c, "vsel", &[ub(1024, F), ub(0, F), ub(256, F)], &[1, 1, 1, 1, 8, 8, 8]);
    assert_eq!(get(&c, 1024, 4), [1.0, 2.0, 1.0, 2.0]);
    c.cmpmask = 512;
    run(&mut c, "vsel", &[ub(1024, F), ub(0, F), ub(256, F)], &[1, 1, 1, 1, 8, 8, 8, 2]);
    assert_eq!(get(&c, 1024, 4), [1.0, 2.0, 1.0, 2.0]);
    c.cmpmask = u128::from(7.5f32.to_bits());
    run(&mut c, "vsel", &[ub(1024, F), ub(0, F), ub(512, DType::U8)], &[1, 1, 1, 1, 8, 8, 8, 1]);
    assert_eq!(get(&c, 1024, 4), [1.0, 7.5, 1.0, 7.5]);
}

#[test]
fn compares_write_packed_bits() {
    let mut c = core();
    put(&mut c, 0, &(0..128).map(|i| i as f32).collect::<Vec<_>>());
    let list = [ub(1024, DType::U8), ub(0, F), Arg::Float { ty: F, bits: 62.0f32.to_bits().into() }];
    let list: Vec<Arg> = list.into_iter().chain([2, 1, 1, 8, 8].map(Arg::Int)).collect();
    call(&mut c, "vcmpvs_ge", &list).unwrap();
    assert_eq!(c.mem.bytes(Loc::Vec)[1024..1040], [0, 0, 0, 0, 0, 0, 0, 0xc0, 255, 255, 255, 255, 255, 255, 255, 255]);
}

#[test]
fn kept_elements_are_packed_and_counted() {
    let mut c = core();
    put(&mut c, 0, &(0..128).map(|i| i as f32).collect::<Vec<_>>());
    let u = DType::U32;
    run(&mut c, "vreducev2", &[ub(1024, u), ub(0, u), ub(0, u)], &[2, 1, 4, 8, 0]);
    assert_eq!(get(&c, 1024, 17)[15..], [61.0, 65.0]);
    assert_eq!(c.handed_back("get_rsvd_cnt"), 32);
}

#[test]
fn records_are_sorted_and_merged() {
    let mut c = core();
    put(&mut c, 0, &(0..32).map(|i| (i % 4) as f32).collect::<Vec<_>>());
    let indices: Vec<u8> = (0..32u32).flat_map(u32::to_le_bytes).collect();
    c.mem.preset(Loc::Vec, 128, &indices).unwrap();
    run(&mut c, "vbitsort", &[ub(1024, F), ub(0, F), ub(128, DType::U32)], &[1]);
    assert_eq!(get(&c, 1024, 1), [3.0]);
    assert_eq!([words(&c, 1028, 1)[0], words(&c, 1036, 1)[0], words(&c, 1024 + 68, 1)[0]], [3, 7, 2]);
    let list =
        [ub(2048, F), Arg::List(vec![ub(1024, F), ub(1024 + 64, F)]), Arg::Int(8 | 8 << 16), Arg::Int(1 | 3 << 8)];
    call(&mut c, "vmrgsort4", &list).unwrap();
    let scores: Vec<f32> = (0..16).map(|i| get(&c, 2048 + 8 * i, 1)[0]).collect();
    assert_eq!(scores, [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]);
    assert_eq!(c.handed_back("get_vms4_sr"), 8 | 8 << 16);
}

#[test]
fn sixteen_rows_change_places_with_their_elements() {
    let mut c = core();
    for (n, first) in [("VA0", 0), ("VA1", 8), ("VA2", 64), ("VA3", 72)] {
        let list = (0..8).map(|i| ub(32 * (first + i), DType::F16)).collect();
        call(&mut c, "set_va_reg_sb", &[Arg::Word(n), Arg::List(list)]).unwrap();
    }
    let ints = [1, 0, 0].map(Arg::Int);
    let list: Vec<Arg> = [Arg::Word("VA2"), Arg::Word("VA0")].into_iter().chain(ints).collect();
    call(&mut c, "scatter_vnchwconv_b16", &list).unwrap();
    let b = c.mem.bytes(Loc::Vec);
    for (i, j) in [(0, 0), (3, 11), (15, 2)] {
        assert_eq!(b[2048 + 32 * i + 2 * j..][..2], b[32 * j + 2 * i..][..2]);
    }
}
