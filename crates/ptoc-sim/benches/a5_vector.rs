//! Lane operations a second of the vector unit of A5: single intrinsics, and the inner loop of an addition.

use divan::Bencher;
use divan::counter::ItemsCount;
use ptoc_sim::machine::{Arg, Args, Core, Intrinsic, Ptr, find};
use ptoc_target::{Arch, DType, Loc, Target};

fn main() {
    divan::main();
}

fn reg(id: u32, elem: DType) -> Arg {
    Arg::Reg { id, elem }
}

fn ub(addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space: Loc::Vec, addr, elem: Some(elem) })
}

fn get(name: &'static str) -> &'static Intrinsic {
    find(Arch::A5, name).expect("a name of the table")
}

fn run(core: &mut Core, f: &Intrinsic, list: &[Arg]) {
    (f.run)(core, &Args { name: f.name, list }).expect("a legal call");
}

/// A core with numbers in registers 0 to 2 and a full predicate 0 for lanes of a type.
fn core(ty: DType) -> Core {
    let mut core = Core::new(Target::A5);
    core.mem.track(false);
    core.mem.preset(Loc::Vec, 0, &[1; 65536]).expect("UB is larger");
    core.vregs = vec![std::array::from_fn(|i| i as u8), [1; 256], [2; 256]];
    let all = match ty.bytes() {
        1 => "pset_b8",
        2 => "pset_b16",
        _ => "pset_b32",
    };
    run(&mut core, get(all), &[Arg::Mask(0), Arg::Word("PAT_ALL")]);
    core
}

fn lanes(b: Bencher<'_, '_>, name: &'static str, ty: DType, list: &[Arg]) {
    let (mut core, f) = (core(ty), get(name));
    b.counter(ItemsCount::new(256 / ty.bytes())).bench_local(|| run(&mut core, f, list));
}

#[divan::bench(args = [DType::F32, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8])]
fn vadd(b: Bencher<'_, '_>, ty: DType) {
    lanes(b, "vadd", ty, &[reg(2, ty), reg(0, ty), reg(1, ty), Arg::Mask(0), Arg::Word("MODE_ZEROING")]);
}

#[divan::bench(args = ["vmul", "vmax", "vmula", "vdiv"])]
fn f32_pairs(b: Bencher<'_, '_>, name: &'static str) {
    let ty = DType::F32;
    lanes(b, name, ty, &[reg(2, ty), reg(0, ty), reg(1, ty), Arg::Mask(0)]);
}

#[divan::bench(args = ["vexp", "vln", "vsqrt"])]
fn f32_functions(b: Bencher<'_, '_>, name: &'static str) {
    lanes(b, name, DType::F32, &[reg(2, DType::F32), reg(1, DType::F32), Arg::Mask(0)]);
}

#[divan::bench(args = ["vcadd", "vcmax"])]
fn f32_reductions(b: Bencher<'_, '_>, name: &'static str) {
    lanes(b, name, DType::F32, &[reg(2, DType::F32), reg(1, DType::F32), Arg::Mask(0)]);
}

#[divan::bench(args = [(DType::F32, DType::F16), (DType::F16, DType::F32), (DType::F32, DType::I32), (DType::F32, DType::F8E4M3)])]
fn vcvt(b: Bencher<'_, '_>, (from, to): (DType, DType)) {
    let words = ["ROUND_R", "RS_ENABLE"].map(Arg::Word);
    let list: Vec<Arg> = [reg(2, to), reg(1, from), Arg::Mask(0)].into_iter().chain(words).collect();
    let (mut core, f) = (core(from), get("vcvt"));
    b.counter(ItemsCount::new(256 / from.bytes().max(to.bytes()))).bench_local(|| run(&mut core, f, &list));
}

/// Two loads, an addition and a store: what a whole tile costs for each element.
#[divan::bench(args = [true, false])]
fn add_a_tile(b: Bencher<'_, '_>, tracked: bool) {
    let ty = DType::F32;
    let mut core = core(ty);
    core.mem.track(tracked);
    let (vlds, vadd, vsts) = (get("vlds"), get("vadd"), get("vsts"));
    let (norm, zero) = (Arg::Word("NORM"), Arg::Word("MODE_ZEROING"));
    let count = 64;
    b.counter(ItemsCount::new(64 * count as u64)).bench_local(|| {
        for i in 0..count {
            let at = Arg::Int(64 * i);
            core.mem.begin();
            run(&mut core, vlds, &[reg(0, ty), ub(0, ty), at.clone(), norm.clone()]);
            run(&mut core, vlds, &[reg(1, ty), ub(16384, ty), at.clone(), norm.clone()]);
            run(&mut core, vadd, &[reg(2, ty), reg(0, ty), reg(1, ty), Arg::Mask(0), zero.clone()]);
            run(&mut core, vsts, &[reg(2, ty), ub(32768, ty), at, Arg::Word("NORM_B32"), Arg::Mask(0)]);
        }
    });
}
