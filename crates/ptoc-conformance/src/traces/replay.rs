//! Runs the steps of a trace.

use ptoc_sim::machine::{Arg, Args, Core, Intrinsic, Ptr};
use serde_json::Value;

/// One recorded step.
pub(super) enum Step {
    /// An intrinsic.
    Call(&'static Intrinsic, Vec<Arg>),
    /// Scalar code read a few bytes and found these bits.
    Load { at: Ptr, bytes: u64, bits: u64 },
    /// Scalar code wrote these bits.
    Store { at: Ptr, bytes: u64, bits: u64 },
}

/// The name of a recorded call.
pub(super) fn name(call: &Value) -> Option<&str> {
    call.as_array()?.first()?.as_str()
}

/// Runs all steps.
///
/// The recorder saw zeros where vector results would be. With `forward`, a store of the bits that the load just before it
/// found is taken for a copy and stores what the load finds now; otherwise it stores what was recorded.
pub(super) fn run(core: &mut Core, steps: &[Step], forward: bool) -> Result<(), String> {
    // Recorded and present bits of the loads since the last store, newest last.
    let mut loaded: Vec<(u64, u64, u64)> = Vec::new();
    let mut stored = true;
    for (i, step) in steps.iter().enumerate() {
        match step {
            Step::Call(intrinsic, list) => {
                (intrinsic.run)(core, &Args { name: intrinsic.name, list }).map_err(|e| format!("step {i}: {e}"))?;
            }
            Step::Load { at, bytes, bits } => {
                let now = core.mem.load(*at, *bytes).map_err(|e| format!("step {i}: {e}"))?;
                if std::mem::take(&mut stored) {
                    loaded.clear();
                }
                loaded.push((*bytes, *bits, now));
            }
            Step::Store { at, bytes, bits } => {
                let copied = loaded.iter().rev().find(|(n, recorded, _)| n == bytes && recorded == bits);
                let bits = match copied {
                    Some((_, _, now)) if forward => *now,
                    _ => *bits,
                };
                stored = true;
                core.mem.store(*at, *bytes, bits).map_err(|e| format!("step {i}: {e}"))?;
            }
        }
    }
    Ok(())
}
