//! Multiply-adds a second of the matrix unit, and a whole matrix product of 1024 x 1024 x 1024 with its loads and stores.

use divan::Bencher;
use divan::counter::ItemsCount;
use ptoc_sim::machine::{Arg, Args, Core, Ptr, find};
use ptoc_target::{Arch, DType, Loc, Target};

fn main() {
    divan::main();
}

fn ptr(space: Loc, addr: u64, elem: DType) -> Arg {
    Arg::Ptr(Ptr { space, addr, elem: Some(elem) })
}

fn call(core: &mut Core, name: &'static str, pointers: [Arg; 2], more: &[Arg]) {
    let list: Vec<Arg> = pointers.into_iter().chain(more.iter().cloned()).collect();
    if let Some(intrinsic) = find(core.target.arch, name)
        && let Err(e) = (intrinsic.run)(core, &Args { name, list: &list })
    {
        panic!("{e}");
    }
}

fn ints<const N: usize>(numbers: [i64; N]) -> [Arg; N] {
    numbers.map(Arg::Int)
}

fn core(arch: Arch) -> Core {
    let mut core = Core::new(Target::of(arch));
    for space in [Loc::Left, Loc::Right, Loc::Mat] {
        let n = core.mem.size(space);
        // Small half precision numbers, which are small bytes and small singles as well.
        let noise: Vec<u8> = (0..n).map(|i| if i % 2 == 0 { (i * 31 % 251) as u8 } else { 0x30 }).collect();
        if let Err(e) = core.mem.preset(space, 0, &noise) {
            panic!("{e}");
        }
    }
    core
}

/// `mad` of 128 x `k` x 128, `k` as large as L0A allows in two halves.
fn product(bencher: Bencher<'_, '_>, ty: DType, to: DType) {
    let (m, n) = (128_u64, 128_u64);
    let k = 32 * 1024 / m / ty.bytes();
    let mut core = core(Arch::A5);
    bencher.counter(ItemsCount::new(m * k * n)).bench_local(|| {
        let [m, k, n] = [m, k, n].map(|n| n as i64);
        let mut more = vec![ptr(Loc::Right, 0, ty)];
        more.extend(ints([m, k, n, 0, 0, 0, 1]));
        core.mem.begin();
        call(&mut core, "mad", [ptr(Loc::Acc, 0, to), ptr(Loc::Left, 0, ty)], &more);
    });
}

#[divan::bench]
fn mad_f16(bencher: Bencher<'_, '_>) {
    product(bencher, DType::F16, DType::F32);
}

#[divan::bench]
fn mad_f32(bencher: Bencher<'_, '_>) {
    product(bencher, DType::F32, DType::F32);
}

#[divan::bench]
fn mad_i8(bencher: Bencher<'_, '_>) {
    product(bencher, DType::I8, DType::I32);
}

/// 128 x 128 tiles of the result, 128 of k at a time: load both operands, multiply, and store each tile at the end.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn matmul_1024_f16(bencher: Bencher<'_, '_>) {
    let mut core = core(Arch::A5);
    core.spr.loop3_para = 1;
    if let Err(e) = core.mem.grow(Loc::Gm, 4 << 20) {
        panic!("{e}");
    }
    let ty = DType::F16;
    bencher.counter(ItemsCount::new(1_u64 << 30)).bench_local(|| {
        for tile in 0..64_i64 {
            for step in 0..8_i64 {
                core.mem.begin();
                let boxes = ints([0, 0, 8, 8, 8, 8, 0]);
                call(&mut core, "load_cbuf_to_ca", [ptr(Loc::Left, 0, ty), ptr(Loc::Mat, 0, ty)], &boxes);
                let from = ptr(Loc::Mat, 32768, ty);
                call(&mut core, "load_cbuf_to_cb", [ptr(Loc::Right, 0, ty), from], &boxes);
                let mut more = vec![ptr(Loc::Right, 0, ty)];
                more.extend(ints([128, 128, 128, 0, 0, 0, i64::from(step == 0)]));
                call(&mut core, "mad", [ptr(Loc::Acc, 0, DType::F32), ptr(Loc::Left, 0, ty)], &more);
            }
            let to = ((tile / 8 * 128 * 1024 + tile % 8 * 128) * 4) as u64;
            let words = ints([128 << 4 | 128 << 16 | 1024 << 32, 128 | 1 << 43]);
            call(
                &mut core,
                "copy_matrix_cc_to_gm",
                [ptr(Loc::Gm, to, DType::F32), ptr(Loc::Acc, 0, DType::F32)],
                &words,
            );
        }
    });
}
