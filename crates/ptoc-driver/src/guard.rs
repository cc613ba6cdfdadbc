//! The last resort: a panic becomes a finding of one input instead of the end of the run.

use crate::codes;
use ptoc_source::{Diagnostic, Span};
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Calls of [`guarded`] that this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// What the last panic of this thread said, and where.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics inside [`guarded`] silent; it reports them.
pub fn install_panic_hook() {
    let otherwise = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if DEPTH.get() == 0 {
            return otherwise(info);
        }
        let text = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        LAST.with(|last| *last.borrow_mut() = Some(format!("{text}{place}")));
    }));
}

/// Runs `work`; a panic in it is the error.
///
/// # Errors
/// An internal-error finding with the text of the panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    DEPTH.set(DEPTH.get() + 1);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|_| {
        let said = LAST.with(|last| last.borrow_mut().take());
        Diagnostic::error(codes::INTERNAL, Span::NONE, "internal error: ptoc cannot finish this input")
            .note(said.unwrap_or_else(|| "a panic without a message".to_string()))
            .note(format!("this is ptoc {}", env!("CARGO_PKG_VERSION")))
            .help("report this as a bug, with the input")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_finding() {
        install_panic_hook();
        let number: Result<u32, _> = "x".parse::<u32>();
        let d = guarded(|| number.unwrap()).unwrap_err();
        assert_eq!(d.code, "PTO-I001");
        assert!(d.notes[0].contains("InvalidDigit") && d.notes[0].contains("guard.rs:"), "{:?}", d.notes);
        assert_eq!(guarded(|| 1), Ok(1));
    }
}
