//! Lanes of the A2/A3 vector unit in a second: a repeat has 64 lanes of 32 bits or 128 of 16.

use divan::counter::ItemsCount;
use ptoc_sim::machine::{Arg, Args, Core, Ptr, find};
use ptoc_target::{Arch, DType, Loc, Target};

fn main() {
    divan::main();
}

fn ub(addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space: Loc::Vec, addr, elem: Some(elem) })
}

/// Runs `name` on 255 repeats with the mask of the core, `lanes` of them working.
fn run(bencher: divan::Bencher<'_, '_>, core: &mut Core, name: &str, list: &[Arg], lanes: u64) {
    let Some(intrinsic) = find(Arch::A2A3, name) else { return };
    bencher.counter(ItemsCount::new(255 * lanes)).bench_local(|| {
        core.mem.begin();
        (intrinsic.run)(core, &Args { name, list })
    });
}

fn list(ptrs: [u64; 3], ty: DType, ints: &[i64]) -> Vec<Arg> {
    ptrs.into_iter().map(|at| ub(at, ty)).chain(ints.iter().map(|n| Arg::Int(*n))).collect()
}

const PLACES: [u64; 3] = [0, 65536, 131_072 - 1024];

#[divan::bench(args = ["vadd", "vmul", "vdiv", "vmax"])]
fn singles(bencher: divan::Bencher<'_, '_>, name: &str) {
    let call = list(PLACES, DType::F32, &[255, 1, 1, 1, 8, 8, 8]);
    run(bencher, &mut Core::new(Target::A2A3), name, &call, 64);
}

#[divan::bench(args = ["vadd", "vmul"])]
fn halves(bencher: divan::Bencher<'_, '_>, name: &str) {
    let call = list(PLACES, DType::F16, &[255, 1, 1, 1, 8, 8, 8]);
    run(bencher, &mut Core::new(Target::A2A3), name, &call, 128);
}

#[divan::bench]
fn singles_under_a_mask(bencher: divan::Bencher<'_, '_>) {
    let mut core = Core::new(Target::A2A3);
    core.spr.mask = (1 << 50) - 1;
    let call = list(PLACES, DType::F32, &[255, 1, 1, 1, 8, 8, 8]);
    run(bencher, &mut core, "vadd", &call, 50);
}

#[divan::bench]
fn integers(bencher: divan::Bencher<'_, '_>) {
    let call = list(PLACES, DType::I32, &[255, 1, 1, 1, 8, 8, 8]);
    run(bencher, &mut Core::new(Target::A2A3), "vmul", &call, 64);
}

#[divan::bench]
fn conversions(bencher: divan::Bencher<'_, '_>) {
    let call: Vec<Arg> =
        [ub(0, DType::I32), ub(65536, DType::F32)].into_iter().chain([255, 1, 1, 8, 8].map(Arg::Int)).collect();
    run(bencher, &mut Core::new(Target::A2A3), "vconv_f322s32r", &call, 64);
}
