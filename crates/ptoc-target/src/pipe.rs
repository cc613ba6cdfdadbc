//! Pipes and events.

/// Event ids of one ordered pair of pipes: `0..EVENT_IDS`.
pub const EVENT_IDS: u32 = 8;

/// An execution pipe. Each runs its queue in order; all run concurrently.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Pipe {
    /// Scalar unit.
    S,
    /// Vector unit.
    V,
    /// Cube unit.
    M,
    /// L1 to L0A, L0B and the bias table.
    Mte1,
    /// Global memory to L1 or UB.
    Mte2,
    /// UB (A2/A3 also L1) outward.
    Mte3,
    /// Fixpipe: L0C outward, L1 to the fixpipe buffer.
    Fix,
    /// All pipes; only a barrier can name it.
    All,
}

impl Pipe {
    /// The real pipes.
    pub const REAL: [Pipe; 7] = [Pipe::S, Pipe::V, Pipe::M, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fix];

    /// The word in the text: `PIPE_MTE2`.
    pub const fn keyword(self) -> &'static str {
        match self {
            Pipe::S => "PIPE_S",
            Pipe::V => "PIPE_V",
            Pipe::M => "PIPE_M",
            Pipe::Mte1 => "PIPE_MTE1",
            Pipe::Mte2 => "PIPE_MTE2",
            Pipe::Mte3 => "PIPE_MTE3",
            Pipe::Fix => "PIPE_FIX",
            Pipe::All => "PIPE_ALL",
        }
    }

    /// Reads the word of the text.
    pub fn from_keyword(word: &str) -> Option<Pipe> {
        Self::REAL.into_iter().chain([Pipe::All]).find(|p| p.keyword() == word)
    }
}

impl std::fmt::Display for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.keyword())
    }
}
