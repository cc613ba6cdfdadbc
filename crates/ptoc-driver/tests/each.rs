//! Every tile instruction of the examples: its meaning against its lowered code, by itself.

use ptoc_driver::{Options, RunOptions, validate_each};
use ptoc_source::SourceFile;
use ptoc_target::Target;
use std::path::Path;

#[test]
fn instructions_by_themselves_do_what_they_mean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [("examples", &[Target::A5, Target::A2A3][..])];
    let (mut wrong, mut agreed) = (Vec::new(), 0);
    for (folder, targets) in folders {
        let list = std::fs::read_dir(root.join(folder)).expect("a folder");
        let mut paths: Vec<_> = list.map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "pto")) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let file = SourceFile::new(name.clone(), std::fs::read_to_string(path).expect("a text")).expect("short");
            for target in targets {
                let options = Options { target: Some(target.clone()), ..Options::default() };
                let each = validate_each(&file, &options, &RunOptions::default(), 2);
                agreed += each.agreed;
                wrong.extend(
                    each.diagnostics.iter().filter(|d| d.is_error()).map(|d| format!("{folder}/{name}: {}", d.message)),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreed >= 40, "{agreed} instructions agree");
}
