//! The small part of a POSIX shell that RUN lines use, with lit's rule that a pipe fails when any part fails.

use super::filecheck;
use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Where commands are found and run.
pub struct Shell {
    /// What `ptoc` means.
    pub ptoc: PathBuf,
    /// An external FileCheck in place of the built-in one.
    pub filecheck: Option<PathBuf>,
    /// An external `not`.
    pub not: Option<PathBuf>,
    /// The working directory.
    pub directory: PathBuf,
    /// A command that runs longer has failed.
    pub time_limit: Duration,
}

/// What a line did.
pub struct Run {
    /// Every part of the line ended well.
    pub success: bool,
    /// What was printed and not redirected.
    pub log: String,
}

/// One simple command with its redirections.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stage {
    words: Vec<String>,
    stdin: Option<String>,
    stdout: Option<(String, bool)>,
    stderr: Option<String>,
    merge: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Pipe,
    And,
    Semicolon,
    Redirect(&'static str),
}

/// Output of one stage.
struct Output {
    success: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Shell {
    /// Runs one line. The error tells of a line that cannot be run at all.
    pub fn run(&self, line: &str) -> Result<Run, String> {
        let mut log = String::new();
        for pipeline in parse(&tokens(line)?)? {
            let success = self.pipeline(&pipeline, &mut log)?;
            if !success {
                return Ok(Run { success, log });
            }
        }
        Ok(Run { success: true, log })
    }

    fn pipeline(&self, stages: &[Stage], log: &mut String) -> Result<bool, String> {
        let mut success = true;
        let mut carried: Vec<u8> = Vec::new();
        for (i, stage) in stages.iter().enumerate() {
            if let Some(file) = &stage.stdin {
                carried = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
            }
            let Output { success: good, stdout, stderr } = self.stage(&stage.words, &carried, stage.merge)?;
            if !good {
                success = false;
                log.push_str(&format!("`{}` failed\n", stage.words.join(" ")));
            }
            match &stage.stderr {
                Some(file) => write(file, &stderr, false)?,
                None => log.push_str(&String::from_utf8_lossy(&stderr)),
            }
            carried = match &stage.stdout {
                Some((file, append)) => {
                    write(file, &stdout, *append)?;
                    Vec::new()
                }
                None => stdout,
            };
            if i + 1 == stages.len() || !good {
                log.push_str(&String::from_utf8_lossy(&carried));
            }
        }
        Ok(success)
    }

    fn stage(&self, words: &[String], stdin: &[u8], merge: bool) -> Result<Output, String> {
        let Some((name, arguments)) = words.split_first() else { return Err("a command is empty".to_string()) };
        match (name.as_str(), &self.filecheck, &self.not) {
            ("FileCheck", None, _) => {
                let result = filecheck::check(arguments, stdin);
                let stderr = result.as_ref().err().map(|e| format!("{e}\n").into_bytes()).unwrap_or_default();
                Ok(Output { success: result.is_ok(), stdout: Vec::new(), stderr })
            }
            ("not", _, None) => {
                let mut output = self.stage(arguments, stdin, merge)?;
                output.success = !output.success;
                Ok(output)
            }
            _ => self.spawn(name, arguments, stdin, merge),
        }
    }

    fn spawn(&self, name: &str, arguments: &[String], stdin: &[u8], merge: bool) -> Result<Output, String> {
        let fail = |e: std::io::Error| format!("{name}: {e}");
        let mut command = match (name, &self.filecheck, &self.not) {
            ("ptoc", ..) => Command::new(&self.ptoc),
            ("FileCheck", Some(path), _) | ("not", _, Some(path)) => Command::new(path),
            _ => Command::new(name),
        };
        command.args(arguments);
        let (mut out, out_end) = std::io::pipe().map_err(fail)?;
        let (mut err, mut err_end) = std::io::pipe().map_err(fail)?;
        if merge {
            // The other write end must be gone, or reading `err` never ends.
            err_end = out_end.try_clone().map_err(fail)?;
        }
        command.current_dir(&self.directory).stdin(Stdio::piped()).stdout(out_end).stderr(err_end);
        // `not ptoc` and `env X=1 ptoc` find it, too.
        let here = self.ptoc.parent().map(PathBuf::from);
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::env::join_paths(here.into_iter().chain(std::env::split_paths(&paths)));
        command.env("PATH", paths.map_err(|e| format!("{name}: {e}"))?);
        command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
        let mut child = command.spawn().map_err(fail)?;
        // The parent's copies of the pipe ends must go, or reading never ends.
        drop(command);

        let to_child = child.stdin.take();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A child that does not read its input to the end is no failure.
                let _ = to_child.map(|mut pipe| pipe.write_all(stdin));
            });
            let (done, finished) = mpsc::channel();
            let other = done.clone();
            scope.spawn(move || {
                let mut bytes = Vec::new();
                let _ = out.read_to_end(&mut bytes);
                let _ = done.send((1, bytes));
            });
            scope.spawn(move || {
                let mut bytes = Vec::new();
                let _ = err.read_to_end(&mut bytes);
                let _ = other.send((2, bytes));
            });
            let (mut stdout, mut stderr, mut late) = (Vec::new(), Vec::new(), false);
            for _ in 0..2 {
                let got = match finished.recv_timeout(self.time_limit) {
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        late = true;
                        let _ = child.kill();
                        finished.recv()
                    }
                    got => got.map_err(|_| mpsc::RecvError),
                };
                match got {
                    Ok((1, bytes)) => stdout = bytes,
                    Ok((_, bytes)) => stderr = bytes,
                    Err(_) => {}
                }
            }
            let status = child.wait().map_err(fail)?;
            if late {
                stderr.extend_from_slice(format!("stopped after {:?}\n", self.time_limit).as_bytes());
            } else if status.code().is_none_or(|c| c == 101) {
                // A crash is never what `not` asks for.
                return Err(format!("{name} crashed ({status})\n{}", String::from_utf8_lossy(&stderr)));
            }
            Ok(Output { success: status.success() && !late, stdout, stderr })
        })
    }
}

fn write(file: &str, bytes: &[u8], append: bool) -> Result<(), String> {
    if file == "/dev/null" {
        return Ok(());
    }
    let open = if append { File::options().append(true).create(true).open(file) } else { File::create(file) };
    open.and_then(|mut f| f.write_all(bytes)).map_err(|e| format!("{file}: {e}"))
}

fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(&c) = chars.peek() {
        let mut take = |token| {
            chars.next();
            out.push(token);
        };
        match c {
            ' ' | '\t' => {
                chars.next();
            }
            ';' => take(Token::Semicolon),
            '<' => take(Token::Redirect("<")),
            '|' | '&' | '>' => {
                chars.next();
                let twice = chars.next_if_eq(&c).is_some();
                out.push(match (c, twice) {
                    ('|', false) => Token::Pipe,
                    ('&', true) => Token::And,
                    ('>', false) => Token::Redirect(">"),
                    ('>', true) => Token::Redirect(">>"),
                    _ => return Err(format!("`{c}` is not supported in a RUN line")),
                });
            }
            _ => {
                let word = word(&mut chars)?;
                let redirected = chars.next_if_eq(&'>').is_some();
                match (word.as_str(), redirected) {
                    (_, false) => out.push(Token::Word(word)),
                    ("2", true) if chars.next_if_eq(&'&').is_some() => match chars.next() {
                        Some('1') => out.push(Token::Redirect("2>&1")),
                        _ => return Err("only `2>&1` is supported".to_string()),
                    },
                    ("2", true) => out.push(Token::Redirect("2>")),
                    ("1", true) => out.push(Token::Redirect(">")),
                    (_, true) => out.extend([Token::Word(word), Token::Redirect(">")]),
                }
            }
        }
    }
    Ok(out)
}

fn word(chars: &mut std::iter::Peekable<std::str::Chars>) -> Result<String, String> {
    let mut word = String::new();
    while let Some(&c) = chars.peek() {
        match c {
            ' ' | '\t' | ';' | '<' | '>' | '|' | '&' => break,
            '\'' | '"' => {
                chars.next();
                loop {
                    match chars.next() {
                        None => return Err(format!("`{c}` is not closed")),
                        Some(q) if q == c => break,
                        Some('\\') if c == '"' => word.extend(chars.next()),
                        Some(other) => word.push(other),
                    }
                }
            }
            '\\' => {
                chars.next();
                word.extend(chars.next());
            }
            '$' | '`' | '*' => return Err(format!("`{c}` must be quoted in a RUN line")),
            _ => {
                chars.next();
                word.push(c);
            }
        }
    }
    Ok(word)
}

/// The pipelines of a line; `&&` and `;` both go on only after success, as lit has it.
fn parse(tokens: &[Token]) -> Result<Vec<Vec<Stage>>, String> {
    let mut pipelines = vec![vec![Stage::default()]];
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        let pipeline = pipelines.last_mut().ok_or("no command")?;
        let Some(stage) = pipeline.last_mut() else { return Err("no command".to_string()) };
        match token {
            Token::Word(w) => stage.words.push(w.clone()),
            Token::Pipe => pipeline.push(Stage::default()),
            Token::And | Token::Semicolon => pipelines.push(vec![Stage::default()]),
            Token::Redirect("2>&1") => stage.merge = true,
            Token::Redirect(kind) => {
                let Some(Token::Word(file)) = tokens.next() else { return Err(format!("no file after `{kind}`")) };
                match *kind {
                    "<" => stage.stdin = Some(file.clone()),
                    "2>" => stage.stderr = Some(file.clone()),
                    _ => stage.stdout = Some((file.clone(), *kind == ">>")),
                }
            }
        }
    }
    if pipelines.iter().flatten().any(|s| s.words.is_empty()) {
        return Err("a command is empty".to_string());
    }
    Ok(pipelines)
}
