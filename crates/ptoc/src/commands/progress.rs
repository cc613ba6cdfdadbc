//! A line on standard error while a run takes long.

use ptoc_driver::RunOptions;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A run that ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Time between two states of the line.
const PERIOD: Duration = Duration::from_millis(200);

/// Does the work. When it takes long and standard error is a terminal, a line there says how far it is; it is gone in the end.
pub fn watched<T>(how: &mut RunOptions, work: impl FnOnce(&RunOptions) -> T) -> T {
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    if dumb || !io::stderr().is_terminal() {
        return work(how);
    }
    let steps = Arc::new(AtomicU64::new(0));
    how.progress = Some(Arc::clone(&steps));
    std::thread::scope(|scope| {
        // Dropped when the work ends, also by a panic, which ends the thread.
        let (_working, end) = channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            let mut pause = PATIENCE;
            while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(pause) {
                pause = PERIOD;
                let line = state(start.elapsed(), steps.load(Ordering::Relaxed));
                let _ = write!(io::stderr(), "\r\x1b[K{line}");
            }
            if pause == PERIOD {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
        });
        work(how)
    })
}

fn state(time: Duration, steps: u64) -> String {
    let steps = match steps {
        0..10_000 => steps.to_string(),
        10_000..10_000_000 => format!("{} thousand", steps / 1000),
        _ => format!("{} million", steps / 1_000_000),
    };
    format!("running, {} s, {steps} operations", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_short_whatever_the_numbers() {
        assert_eq!(state(Duration::from_millis(1700), 512), "running, 1 s, 512 operations");
        assert_eq!(state(Duration::from_secs(70), 1_234_567), "running, 70 s, 1234 thousand operations");
        assert_eq!(state(Duration::from_secs(3600), 2_000_000_000), "running, 3600 s, 2000 million operations");
    }

    #[test]
    fn the_work_is_done_once() {
        let mut times = 0;
        watched(&mut RunOptions::default(), |_| times += 1);
        assert_eq!(times, 1);
    }
}
