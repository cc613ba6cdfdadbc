//! `ops` and `explain`.

use crate::args::{ExplainArgs, OpsArgs};
use crate::terminal::Terminal;
use ptoc_driver::{Status, ops_data, ops_text};

pub fn ops(args: &OpsArgs, terminal: &mut Terminal) -> Status {
    if !args.json {
        terminal.product(&ops_text(args.filter()));
        return Status::Good;
    }
    match serde_json::to_string_pretty(&ops_data(args.filter())) {
        Ok(text) => terminal.product(&(text + "\n")),
        Err(e) => terminal.say(&format!("error: {e}")),
    }
    Status::Good
}

pub fn explain(args: &ExplainArgs, terminal: &mut Terminal) -> Status {
    match ptoc_driver::explain(&args.what) {
        Ok(page) => {
            terminal.product(&page);
            Status::Good
        }
        Err(unknown) => {
            terminal.say(&format!("error: no diagnostic code and no instruction is called `{}`", args.what));
            match unknown.suggestion {
                Some(name) => terminal.say(&format!("did you mean `{name}`?")),
                None => terminal.say("`ptoc ops` lists the instructions"),
            }
            Status::BadCall
        }
    }
}
