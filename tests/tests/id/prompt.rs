//! `meridian id` with scripts on standard input, and a computation that is interrupted.

use libtest_mimic::{Failed, Trial};
use std::io::Write;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("prompt/definitions_are_kept", definitions_are_kept),
        Trial::test("prompt/errors_leave_the_session_as_it_was", errors_leave_the_session_as_it_was),
        Trial::test("prompt/what_is_declared_is_kept", what_is_declared_is_kept),
        Trial::test("prompt/stores_are_kept", stores_are_kept),
        Trial::test("prompt/inputs_of_several_lines", inputs_of_several_lines),
        Trial::test("prompt/definitions_that_stand_in_the_way", definitions_that_stand_in_the_way),
        Trial::test("prompt/included_files", included_files),
        Trial::test("prompt/parts_in_c", parts_in_c),
        Trial::test("prompt/commands", commands),
        Trial::test("prompt/files", files),
        Trial::test("prompt/errors_at_run_time", errors_at_run_time),
        Trial::test("prompt/an_interrupt_ends_the_computation", an_interrupt_ends_the_computation),
    ]
}

/// Runs a script at the prompt. Returns its standard output, its standard error, and its exit code.
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

fn what_is_declared_is_kept() -> Result<(), Failed> {
    expect(
        "typeof root = float -> float;\n@external root \"cbrt\";\nroot 1.0;\nroot 8.0;\n\
         @external root \"sqrt\";\nroot 16.0;\ndef root x = x + 1;\nroot 2;\n\
         typeof f = int -> int;\n7;\ndef f x = x;\nf 2;\n:list\n",
        &[],
        "root : float -> float\n1.0  : float\n2.0  : float\nroot : float -> float\n4.0  : float\n\
         root : *number -> *number\n3  : int\n7  : int\nf : int -> int\n2  : int\n\
         def root x = x + 1;\ntypeof f = int -> int;\ndef f x = x;\n",
    )
}

fn stores_are_kept() -> Result<(), Failed> {
    expect(
        "a = 1d_I_array (1,2);\na[1] = 5;\na[2] = 6;\na[1] + a[2];\nmain = 1;\n_ = print 3;\n4;\n\
         a = {array (1,2) | [i] = i || i <- 1 to 2};\na[2];\n",
        &[],
        "a : 1d_I_array *0\n11  : int\nmain : int\n3\n4  : int\na : 1d_array int\n2  : int\n",
    )
}

fn inputs_of_several_lines() -> Result<(), Failed> {
    expect(
        "def fact 0 = 1\n | fact n =\n   n * fact (n-1)\n\nfact 5\nif fact 2 == 2\nthen 1\n% a comment\n\nelse 2;\n\
         -1\n{ a = 2;\n\n  In a }",
        &[],
        "fact : *number -> *number\n120  : int\n1  : int\n-1  : int\n2  : int\n",
    )
}

fn definitions_that_stand_in_the_way() -> Result<(), Failed> {
    let (out, err, code) = session(
        "type t = A | B int;\ndef g A = 1 | g (B n) = n;\ntype t = C;\n:forget g\ntype t = C;\ng C;\n\
         a, b = 1, 2;\nb = 3;\na;\n:forget nothing\n:forget t b\n:list\n",
        &[],
    )?;
    let forgotten = "`a` is forgotten: it was defined together with a name that is redefined";
    if out == format!("g : t -> int\na : int\nb : int\nb : int\n{forgotten}\n")
        && err.contains("`g` of input-2.id is kept: define it again in the same input, or `:forget g` first")
        && err.contains("no definition of `nothing` is kept")
        && err.matches("is not defined").count() == 2
        && code == 1
    {
        return Ok(());
    }
    Err(format!("exit code {code}\n{out}--- standard error\n{err}").into())
}

fn included_files() -> Result<(), Failed> {
    let work = super::temporary()?;
    std::fs::create_dir(work.path().join("inner"))?;
    let path = |name: &str| work.path().join(name);
    std::fs::write(path("outer.id"), "@include \"inner/one.id\";\ndef two = 2;\none + 1;\n")?;
    std::fs::write(path("inner/one.id"), "@include \"zero.id\";\none = two - zero - 1;\n")?;
    std::fs::write(path("inner/zero.id"), "zero = quotient 0 1;\n")?;
    std::fs::write(path("itself.id"), "@include \"itself.id\";\n")?;
    std::fs::write(path("late.id"), "early = 1; late + early;\n")?;
    std::fs::write(path("later.id"), "late = 2;\n")?;
    let name = |file: &str| path(file).to_string_lossy().into_owned();
    let all = "zero : int\none : int\ntwo : int\n2  : int\n";
    expect("", &[&name("outer.id")], all)?;
    expect(&format!("@include \"{}\";\none;\n", name("outer.id")), &[], &format!("{all}1  : int\n"))?;
    expect(
        "late;\n",
        &[&name("late.id"), &name("later.id")],
        "early : int\nlate : int\n3  : int\n2  : int\n",
    )?;
    let script = format!(":load {}\n@include \"nowhere.id\"\n3;\n", name("itself.id"));
    let (out, err, code) = session(&script, &[])?;
    if out == "3  : int\n"
        && code == 1
        && err.contains("includes itself")
        && err.contains("cannot include `nowhere.id`")
    {
        return Ok(());
    }
    Err(format!("exit code {code}\n{out}--- standard error\n{err}").into())
}

fn parts_in_c() -> Result<(), Failed> {
    let work = super::temporary()?;
    let file = work.path().join("part.c");
    std::fs::write(&file, "#include <stdint.h>\nint64_t twice(int64_t n) { return 2 * n; }\n")?;
    let name = file.to_string_lossy().into_owned();
    let declared = "typeof twice = int -> int; @external twice;\n";
    expect(&format!("{declared}twice 4;\n"), &[&name], "twice : int -> int\n8  : int\n")?;
    expect(
        &format!(":load {name}\n{declared}twice 5;\n:list\n"),
        &[],
        &format!(
            "twice : int -> int\n10  : int\n% with {name}\ntypeof twice = int -> int;\n@external twice;\n"
        ),
    )?;
    let (_, err, code) = session(&format!("{declared}twice 5;\n:load nowhere.c\n"), &[])?;
    let wanted = ["defines the function `twice` of C", "input-1.id:1:", "nowhere.c"];
    if code == 1 && wanted.iter().all(|w| err.contains(w)) {
        Ok(())
    } else {
        Err(format!("{code}: {err}").into())
    }
}

fn commands() -> Result<(), Failed> {
    expect(
        "def f x = x + 1.5; def g y = f y;\n:type f 1\n:type f\n:list\ndef f x = x + 2.5;\n:list\n:clear\n:list\n:quit\n1;\n",
        &[],
        "f : float -> float\ng : float -> float\nfloat\nfloat -> float\ndef f x = x + 1.5;\ndef g y = f y;\n\
         f : float -> float\ndef g y = f y;\ndef f x = x + 2.5;\n",
    )?;
    let (_, err, code) = session(":nothing\n:type\n", &[])?;
    if code == 1
        && err.contains("there is no command `:nothing`")
        && err.contains("`:type` needs an argument")
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
