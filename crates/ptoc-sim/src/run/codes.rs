//! Diagnostic codes of a run.

use ptoc_source::{Code, CodeInfo};

pub(crate) const RACE: Code = "PTO-S001";
pub(crate) const HANG: Code = "PTO-S002";
pub(crate) const LEFT_SET: Code = "PTO-S003";
pub(crate) const SET_TWICE: Code = "PTO-S004";
pub(crate) const UNWRITTEN: Code = "PTO-S005";
/// An access outside a memory or an array.
pub const OUTSIDE: Code = "PTO-S006";
pub(crate) const MISALIGNED: Code = "PTO-S007";
pub(crate) const BAD_ARGUMENT: Code = "PTO-S008";
pub(crate) const UNKNOWN: Code = "PTO-S009";
pub(crate) const STEPS: Code = "PTO-S010";
pub(crate) const SCALAR: Code = "PTO-S011";
/// Lowered code and the meaning of the program differ.
pub const DIFFERENT: Code = "PTO-S012";
/// The arguments do not fit the function.
pub const ARGUMENTS: Code = "PTO-S013";

pub(crate) const LATE_SET: Code = "PTO-S014";

/// Every code of this crate with its explanation.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: RACE,
        title: "a data race",
        explanation: "Two instructions touch the same bytes, at least one of them writes, and nothing orders them: another run may \
            see them the other way round. Pipes run concurrently; only `set_flag` with its `wait_flag`, a barrier, a unit flag, or the \
            scalar unit that issues both after waiting puts one pipe's work before another's.\n\n\
            Between two pipes, set a flag in the first after its instruction and wait for it in the second before its instruction \
            (machine description, 7.2). On a2a3 two vector instructions that depend on each other need `pto.barrier <PIPE_V>` between \
            them; on a5 a load inside `pto.vecscope` that reads what a store of the same scope wrote needs `pto.mem_bar`.",
    },
    CodeInfo {
        code: HANG,
        title: "a hang",
        explanation: "A pipe waits for something that never comes, so the kernel would not end. The message says which pipe waits for \
            what. Usual reasons: a flag that nobody sets, or that another pair of pipes or another event id sets; a set that stands behind \
            a wait that needs it; a unit flag that is waited for without a product of phase `final`, or a second `final` product before a \
            `final` drain (machine description, 7.2 E1 to E11 and 7.4 U1 to U7).",
    },
    CodeInfo {
        code: LEFT_SET,
        title: "a flag is still set at the end",
        explanation: "A flag that is set and never waited for stays set after the kernel, and the next kernel on the same core passes \
            its first wait too early (machine description, 7.2 E8). Wait for it before the end.",
    },
    CodeInfo {
        code: SET_TWICE,
        title: "a flag is set again before its wait has surely taken it",
        explanation: "A flag is one bit, not a counter: a second set before the wait of the first is lost, and a later wait finds \
            nothing (machine description, 7.2 E6). Use another event id, or order the second set after the wait.",
    },
    CodeInfo {
        code: UNWRITTEN,
        title: "memory is read that nobody wrote",
        explanation: "All bytes that the instruction reads at this place hold whatever was there before the kernel. A load or a fill is \
            missing, or an address is wrong.",
    },
    CodeInfo {
        code: OUTSIDE,
        title: "an access outside a memory or an array",
        explanation: "On-chip memories have fixed sizes, and global memory belongs to the kernel only where an argument points. The \
            message gives the bytes and the limits.",
    },
    CodeInfo {
        code: MISALIGNED,
        title: "an address breaks an alignment rule",
        explanation: "Vector operands and most transfers start on 32-byte blocks; the message names the rule of the instruction.",
    },
    CodeInfo {
        code: BAD_ARGUMENT,
        title: "an instruction gets arguments that it does not take",
        explanation: "A number is outside the range of its field, an operand has the wrong kind, or sizes contradict each other.",
    },
    CodeInfo {
        code: UNKNOWN,
        title: "the simulator does not know an operation",
        explanation: "Nothing is wrong with the program as far as this finding goes: the simulator has no meaning for the operation or \
            for this variant of it, so it stops rather than guess.",
    },
    CodeInfo {
        code: STEPS,
        title: "the run takes more steps than allowed",
        explanation: "Each operation that is executed counts as a step. A loop that never ends has no other sign. Raise the limit with \
            `--max-steps` when the program really needs that many.",
    },
    CodeInfo {
        code: SCALAR,
        title: "a scalar operation has no defined result",
        explanation: "A division by zero, a shift by the width of its type or more, or a loop whose step is not positive.",
    },
    CodeInfo {
        code: DIFFERENT,
        title: "lowered code and the meaning of the program differ",
        explanation: "The program was run twice on the same data: by the definition of its instructions, and as lowered code on the \
            simulated machine. The message shows the first element that differs. Lowering, or the definition, is wrong: please report it.",
    },
    CodeInfo {
        code: ARGUMENTS,
        title: "the arguments of a run do not fit the function",
        explanation: "Each parameter of the entry function needs a value: `--arg name=x.npy` or `--arg name=shape:dtype:random` for a \
            pointer or view of global memory, `--arg name=5` for a number.",
    },
    CodeInfo {
        code: LATE_SET,
        title: "a flag is set later in the program than it is waited for",
        explanation: "The scalar unit issues in program order. While the wait blocks its pipe, what follows piles up in that pipe's \
            queue; when the queue is full the scalar unit stops, and the set further down is never issued (machine description, 7.2 E11). \
            The depth of the queue is not published. Put the set before the wait in the program.",
    },
];
