//! `meridian id` with scripts on standard input, and a computation that is interrupted.

use libtest_mimic::{Failed, Trial};
use std::io::Write;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("prompt/definitions_are_kept", definitions_are_kept),
        Trial::test("prompt/errors_leave_the_session_as_it_was", errors_leave_the_session_as_it_was),
        Trial::test("prompt/commands", commands),
        Trial::test("prompt/files", files),
        Trial::test("prompt/errors_at_run_time", errors_at_run_time),
        Trial::test("prompt/an_interrupt_ends_the_computation", an_interrupt_ends_the_computation),
    ]
}

/// What a script makes the prompt say, on standard output and standard error, and its exit code.
fn session(script: &str, args: &[&str]) -> Result<(String, String, i32), Failed> {
    let mut command = Command::new(super::meridian());
    let outcome = super::run(command.arg("id").args(args), script)?;
    Ok((outcome.stdout, outcome.stderr, outcome.status))
}

fn expect(script: &str, args: &[&str], wanted: &str) -> Result<(), Failed> {
    let (out, err, code) = session(script, args)?;
    if (&out[..], &err[..], code) == (wanted, "", 0) {
        return Ok(());
    }
    Err(format!("exit code {code}\n--- expected\n{wanted}--- found\n{out}--- standard error\n{err}").into())
}

fn definitions_are_kept() -> Result<(), Failed> {
    expect(
        "n = 10;\ndef f x =\n  x + n\nf 1;\nn = 20;\nf 1, \"a\"\n\
         type t = None | Some int;\nSome 3\n{ a = 1;\n  In a };\ncall print_line \"printed\";\n",
        &[],
        "n : int\nf : *number -> *number\n11  : int\nn : int\n(21,\"a\")  : (int, string)\nSome 3  : t\n1  : int\nprinted\n",
    )
}

fn errors_leave_the_session_as_it_was() -> Result<(), Failed> {
    let (out, err, code) = session("def f x = x + 1;\ndef f x = x + True;\nf 1;\nf (;)\ng 1;\nf 2;\n", &[])?;
    let errors = err.matches("error[").count();
    if out == "f : *number -> *number\n2  : int\n3  : int\n"
        && errors == 3
        && code == 1
        && err.contains("input-2.id:1:15")
    {
        return Ok(());
    }
    Err(format!("exit code {code}, {errors} errors\n{out}--- standard error\n{err}").into())
}

fn commands() -> Result<(), Failed> {
    expect(
        "def f x = x + 1.5; def g y = f y;\n:type f 1\n:type f\n:list\ndef f x = x + 2.5;\n:list\n:clear\n:list\n:quit\n1;\n",
        &[],
        "f : float -> float\ng : float -> float\nfloat\nfloat -> float\ndef f x = x + 1.5;\ndef g y = f y;\n\
         f : float -> float\ndef g y = f y;\ndef f x = x + 2.5;\n",
    )?;
    let (_, err, code) = session(":nothing\n:type\n", &[])?;
    if code == 1 && err.contains("there is no command `:nothing`") && err.contains("`:type` wants something")
    {
        return Ok(());
    }
    Err(format!("{code}: {err}").into())
}

fn files() -> Result<(), Failed> {
    let work = super::temporary()?;
    let file = work.path().join("double.id");
    std::fs::write(&file, "def double x = 2 * x;\ndouble 1.5;\n")?;
    let name = file.to_string_lossy().into_owned();
    expect("double 2;\n", &[&name], "double : *number -> *number\n3.0  : float\n4  : int\n")?;
    expect("{: i || i <- 1 to 3};\n", &["-n", "3"], "1:2:3:Nil  : list int\n")?;
    let (_, err, code) = session("1;\n", &["nowhere.id"])?;
    if code == 1 && err.contains("nowhere.id") { Ok(()) } else { Err(format!("{code}: {err}").into()) }
}

fn errors_at_run_time() -> Result<(), Failed> {
    let (out, err, code) = session("def f x =\n  quotient 1 x;\nf 0;\nf 1;\n", &[])?;
    if code == 1 && err.contains("input-1.id:2: error: division by zero") && out.ends_with("1  : int\n") {
        return Ok(());
    }
    Err(format!("exit code {code}\n{out}--- standard error\n{err}").into())
}

fn an_interrupt_ends_the_computation() -> Result<(), Failed> {
    let mut command = Command::new(super::meridian());
    command.arg("id").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tests::process::with_default_signals(&mut command).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    // The second line is written when the program runs, and it never ends.
    stdin.write_all(
        b"def for_ever n = for_ever (n + 1);\n{ call print_error \"begun\"\n--- call print (for_ever 0) };\n7;\n",
    )?;
    drop(stdin);
    let mut said = child.stderr.take().ok_or("no standard error")?;
    let (mut seen, mut byte) = (Vec::new(), [0]);
    use std::io::Read;
    while !seen.ends_with(b"begun") && said.read(&mut byte)? == 1 {
        seen.push(byte[0]);
    }
    let pid = child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status()?;
    let mut err = String::new();
    said.read_to_string(&mut err)?;
    let output = child.wait_with_output()?;
    let out = String::from_utf8_lossy(&output.stdout);
    if err.contains("interrupted") && out.ends_with("7  : int\n") && output.status.code() == Some(1) {
        return Ok(());
    }
    Err(format!("{}: {out}--- standard error\n{err}", output.status).into())
}
