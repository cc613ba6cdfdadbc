//! The seed cases of the shared folder: each file must get its verdict on each architecture, with a message that says what its
//! header asks.
//!
//! `PTOC_SHARED` names the folder (default `../shared` beside the workspace). Without the folder the test prints that it did
//! nothing, except where `CI=true`.

use crate::kernels::{findings, whole_text};
use std::path::PathBuf;

/// File, target, code of the expected error (empty: accepted), what the message with its notes and help must say.
const CASES: &[(&str, &str, &str, &[&str])] = &[
    ("tassign_ping_pong", "a2a3", "", &[]),
    ("tassign_ping_pong", "a5", "", &[]),
    ("tassign_sa0351", "a2a3", "SA-0351", &["L0A scale memory", "a2a3"]),
    ("tassign_sa0351", "a5", "", &[]),
    ("tassign_sa0352", "a2a3", "SA-0352", &["262144", "196608", "UB"]),
    ("tassign_sa0352", "a5", "", &[]),
    ("tassign_sa0353", "a2a3", "SA-0353", &["131104 + 65536 = 196640", "196608", "by 32 bytes"]),
    ("tfillpad_expand", "a2a3", "", &[]),
    ("tfillpad_expand", "a5", "", &[]),
    ("tfillpad_min", "a2a3", "", &[]),
    ("tfillpad_min", "a5", "", &[]),
    ("tfillpad_null_pad", "a2a3", "PTO-M017", &["dst", "pad null", "set `pad` in the type of dst"]),
    ("tfillpad_null_pad", "a5", "PTO-M017", &["dst", "pad null", "set `pad` in the type of dst"]),
    ("tfillpad_shape_mismatch", "a2a3", "PTO-M007", &["16x16", "32x32", "tfillpad_expand"]),
    ("tfillpad_shape_mismatch", "a5", "PTO-M007", &["16x16", "32x32", "tfillpad_expand"]),
    ("tinsert_acc_to_mat_f32_target_differs", "a5", "", &[]),
    ("tinsert_acc_to_mat_f32_target_differs", "a2a3", "SA-0193", &["f32", "f16 or bf16", "a2a3"]),
    ("tinsert_acc_to_mat_plain", "a2a3", "", &[]),
    ("tinsert_acc_to_mat_plain", "a5", "", &[]),
    ("tinsert_bounds", "a2a3", "PTO-M008", &["24", "= 40", "32 rows of dst", "src"]),
    ("tinsert_bounds", "a5", "PTO-M008", &["24", "= 40", "32 rows of dst", "src"]),
    ("tinsert_scalar_quant", "a2a3", "", &[]),
    ("tinsert_scalar_quant", "a5", "", &[]),
    ("tinsert_split2", "a5", "", &[]),
    ("tinsert_split2", "a2a3", "PTO-M001", &["no way from src (vec NZ f16) to dst (mat NZ f16) on a2a3"]),
    ("tinsert_unit_flag_drains", "a2a3", "", &[]),
    ("tinsert_unit_flag_drains", "a5", "", &[]),
    (
        "tinsert_unit_flag_hang",
        "a2a3",
        "PTO-U001",
        &["tinsert", "tmatmul", "hangs", "accPhase = #pto<acc_phase final>"],
    ),
    ("tinsert_unit_flag_hang", "a5", "PTO-U001", &["tinsert", "tmatmul", "hangs", "accPhase = #pto<acc_phase final>"]),
    ("tinsert_vec_nd_unaligned", "a2a3", "", &[]),
    ("tinsert_vec_nd_unaligned", "a5", "", &[]),
    ("trowprod_bad_dtype", "a2a3", "PTO-D001", &["i8", "f16, f32, i32 or i16", "a2a3"]),
    ("trowprod_bad_dtype", "a5", "PTO-D001", &["i8", "f16, f32, i32 or i16", "a5"]),
    ("trowprod_dn_column", "a2a3", "", &[]),
    ("trowprod_dn_column", "a5", "", &[]),
    ("trowprod_dst_two_dn_columns", "a2a3", "PTO-D005", &["columns of dst must be 1, here 2"]),
    ("trowprod_dst_two_dn_columns", "a5", "PTO-D005", &["columns of dst must be 1, here 2"]),
    ("trowprod_partial_cols", "a2a3", "", &[]),
    ("trowprod_partial_cols", "a5", "", &[]),
    ("trowprod_ssa", "a2a3", "", &[]),
    ("trowprod_ssa", "a5", "", &[]),
];

fn folder() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("PTOC_SHARED").map_or(root.join("../shared"), PathBuf::from);
    let seeds = shared.join("cases/seeds");
    if seeds.is_dir() {
        return Some(seeds);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no seed cases in {}", seeds.display());
    println!("skipped: no seed cases in {}", seeds.display());
    None
}

#[test]
fn every_seed_gets_its_verdict() {
    let Some(seeds) = folder() else { return };
    for &(name, arch, code, needles) in CASES {
        let text = std::fs::read_to_string(seeds.join(name).with_extension("pto")).unwrap();
        let found = findings(&text, arch);
        if code.is_empty() {
            assert_eq!(found, [], "{name} on {arch}");
            continue;
        }
        assert_eq!(found.len(), 1, "{name} on {arch}: {found:#?}");
        assert_eq!(found[0].code, code, "{name} on {arch}: {found:#?}");
        let text = whole_text(&found[0]);
        for needle in needles {
            assert!(text.contains(needle), "{name} on {arch}: `{needle}` is not in\n{text}");
        }
    }
}

#[test]
fn every_seed_file_is_in_the_table_with_the_verdict_of_its_header() {
    let Some(seeds) = folder() else { return };
    for entry in std::fs::read_dir(seeds).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let field = |key: &str| {
            text.lines().find_map(|l| l.strip_prefix("// ").and_then(|l| l.strip_prefix(key))).unwrap_or("").trim()
        };
        let accept = field("VERDICT:") == "ACCEPT";
        for arch in field("arch:").split(',') {
            let arch = arch.trim();
            let case = CASES.iter().find(|c| c.0 == name && c.1 == arch);
            let case = case.unwrap_or_else(|| panic!("{name} on {arch} is not in the table"));
            assert_eq!(case.2.is_empty(), accept, "{name} on {arch}");
        }
    }
}
