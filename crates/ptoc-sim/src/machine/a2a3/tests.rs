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
