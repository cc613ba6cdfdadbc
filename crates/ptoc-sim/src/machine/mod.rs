//! The machine: memories, registers and intrinsics of one core group.
//!
//! An intrinsic is a name and a list of [`Arg`] in the order in which the vendor's headers pass them (results first), so
//! recorded traces and lowered text reach the same handler. [`find`] gives the handler and the pipe of a name; running it
//! changes the [`Core`]. Every byte an intrinsic touches goes through [`Memories`], which checks ranges, knows which bytes
//! were ever written and keeps the accesses of the running intrinsic for whoever looks for races.
//!
//! Registers that the scalar unit sets and other pipes read when an instruction is *issued* (mask, mask mode, control
//! word, loop sizes, ...) are [`Special`], a value that can be copied with the issued instruction.

mod a2a3;
mod a5;
mod args;
mod cube;
mod dma;
mod lane;
mod memory;
mod registers;
mod special;
mod table;

pub use a5::Align;
pub use args::{Arg, Args, Ptr};
pub use memory::{Access, Memories};
pub use special::{MaskMode, Special};
pub use table::{find, names};

use ptoc_target::{Pipe, Target};

/// What stops an intrinsic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind of mistake.
    pub kind: FaultKind,
    /// The intrinsic, the numbers and the rule they break.
    pub message: String,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// A byte outside a memory or an operand's buffer.
    OutOfRange,
    /// An address that breaks an alignment rule.
    Misaligned,
    /// Arguments that the intrinsic does not take.
    BadArgument,
    /// The machine does not know this intrinsic or this variant of it.
    Unsupported,
}

impl Fault {
    /// A fault with its text.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// One vector register of A5: 256 bytes.
pub type VReg = [u8; 256];

/// One predicate register of A5: bit `i` governs byte `i` of a vector register.
pub type Mask = [u64; 4];

/// The state of one core group.
#[derive(Clone, Debug)]
pub struct Core {
    /// The machine this is.
    pub target: Target,
    /// All memories.
    pub mem: Memories,
    /// Registers read at issue.
    pub spr: Special,
    /// Vector registers by virtual number.
    pub vregs: Vec<VReg>,
    /// Predicate registers by virtual number.
    pub masks: Vec<Mask>,
    /// State registers of unaligned accesses by virtual number.
    pub aligns: Vec<Align>,
    /// Address register of `vstur` and `vstar`, in bytes (A5).
    pub ar: u64,
    /// Bytes that the last storing `vsqz` kept (A5).
    pub squeezed: u64,
    /// Compare mask of A2/A3, written by compares and `set_cmpmask` on the vector pipe: 128 bits.
    pub cmpmask: u128,
    /// Address registers of the 16-row transposition of A2/A3: eight UB addresses each.
    pub va: [[u64; 8]; 8],
    /// Numbers that intrinsics hand back to the scalar unit (`get_rsvd_cnt`, `get_vms4_sr`), by name.
    pub returned: Vec<(&'static str, u64)>,
}

impl Core {
    /// A core with nothing in its memories.
    pub fn new(target: Target) -> Core {
        Core {
            mem: Memories::new(&target),
            target,
            spr: Special::default(),
            vregs: Vec::new(),
            masks: Vec::new(),
            aligns: Vec::new(),
            ar: 0,
            squeezed: 0,
            cmpmask: 0,
            va: [[0; 8]; 8],
            returned: Vec::new(),
        }
    }

    /// Keeps a number for the scalar unit under the name of the intrinsic that reads it.
    pub fn hand_back(&mut self, name: &'static str, value: u64) {
        match self.returned.iter_mut().find(|(n, _)| *n == name) {
            Some((_, v)) => *v = value,
            None => self.returned.push((name, value)),
        }
    }

    /// What an intrinsic of this name reads; 0 before anything was kept for it.
    pub fn handed_back(&self, name: &str) -> u64 {
        self.returned.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v)
    }
}

/// Runs one intrinsic.
pub type Handler = fn(&mut Core, &Args<'_>) -> Result<(), Fault>;

/// What the machine knows about an intrinsic.
#[derive(Clone, Copy)]
pub struct Intrinsic {
    /// Name as the vendor writes it, without a prefix.
    pub name: &'static str,
    /// The pipe that executes it; [`Pipe::S`] for register writes.
    pub pipe: Pipe,
    /// What it does.
    pub run: Handler,
}
