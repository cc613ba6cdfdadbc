//! Parses every `.pto` file under a folder and lists the syntax errors: `parse_folder FOLDER [--ops] [--repeat N]`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ptoc_source::SourceFile;
use ptoc_syntax::{Limits, RegionStyle, Vocabulary, parse, split_inputs, split_pieces};

struct Words;

impl Vocabulary for Words {
    fn is_bare_op(&self, word: &str) -> bool {
        matches!(word, "return" | "call" | "module")
    }

    fn region_op(&self, name: &str) -> RegionStyle {
        let regions = ["pto.vecscope", "pto.strict_vecscope", "pto.fusion_region", "module", "func.func"];
        let scf = ["scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch"];
        if regions.contains(&name) || scf.contains(&name) || name.starts_with("pto.section.") {
            RegionStyle::Region
        } else {
            RegionStyle::None
        }
    }
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "pto") {
            out.push(path);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(folder) = args.next() else {
        eprintln!("usage: parse_folder FOLDER [--ops] [--repeat N]");
        std::process::exit(2);
    };
    let options: Vec<String> = args.collect();
    let list_ops = options.iter().any(|o| o == "--ops");
    let repeat = options.iter().skip_while(|o| *o != "--repeat").nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_u32);
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    let (mut failed, mut bytes, mut time) = (0, 0, Duration::ZERO);
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let file = SourceFile::new(path.display().to_string(), text).expect("small file");
        let mut bad = false;
        let split = file.text().lines().take(20).any(|l| l.contains("RUN:") && l.contains("split-input-file"));
        for input in split_inputs(file.text()) {
            let whole = &file.text()[input.range.clone()];
            let pieces = if split { split_pieces(whole) } else { split_inputs(whole) };
            for range in pieces.into_iter().map(|p| p.range) {
                let text = &whole[range.clone()];
                bytes += text.len();
                let base = (input.range.start + range.start) as u32;
                let start = Instant::now();
                let parsed = parse(text, base, &Words, &Limits::default());
                for _ in 1..repeat {
                    std::hint::black_box(parse(text, base, &Words, &Limits::default()));
                }
                time += start.elapsed() / repeat;
                for d in &parsed.diagnostics {
                    let (line, column) = file.line_col(d.primary_span().start);
                    println!("{}:{line}:{column}: {} {}", file.name(), d.code, d.message);
                    bad = true;
                }
                for op in parsed.tree.all_ops() {
                    *names.entry(op.name.of(file.text()).to_owned()).or_default() += 1;
                }
            }
        }
        failed += u32::from(bad);
    }
    if list_ops {
        for (name, count) in &names {
            println!("{count:8} {name}");
        }
    }
    let rate = bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    println!("{} files, {bytes} bytes, {failed} with errors, {rate:.0} MB/s", paths.len());
}
