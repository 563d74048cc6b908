//! A random order costs time in proportion to a program's work: it adds fewer collections if more memory is
//! live.

use libtest_mimic::{Failed, Trial};
use std::process::Command;

const TEXT: &str = "def build n = { l = Nil In {for i <- 1 to n do next l = i : l; finally l} };\n\
     def main = { xs = build (string_to_int (argv 1)) In length xs + foldl_list (+) 0 xs };\n";

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("orders/collections_do_not_grow_with_the_data", collections)]
}

fn collections() -> Result<(), Failed> {
    let work = super::temporary()?;
    let (file, to) = (work.path().join("kept.id"), work.path().join("kept"));
    std::fs::write(&file, TEXT)?;
    let made = super::compile(&[file], &to, super::WAYS[0])?;
    if made.status != 0 {
        return Err(super::shown("compiling", &made));
    }
    let count = |n: &str| -> Result<u64, Failed> {
        let profile = work.path().join("profile.json");
        let mut command = Command::new(super::meridian());
        command.args(["run", "-n", "1"]).arg(format!("--profile={}", profile.display())).arg(&to).arg(n);
        let ran = super::run(command.env("MERIDIAN_TAM_ORDER", "1"), "")?;
        if ran.status != 0 {
            return Err(super::shown("running", &ran));
        }
        let shown = super::run(Command::new(super::meridian()).arg("profile").arg(&profile), "")?;
        let line = shown.stdout.lines().find_map(|l| l.trim().strip_prefix("collections "));
        let number = line.and_then(|l| l.trim().replace(',', "").parse().ok());
        number.ok_or_else(|| super::shown("no count of collections", &shown))
    };
    let (few, many) = (count("20000")?, count("160000")?);
    if few < 10 || many > 4 * few {
        return Err(format!("{few} collections of 20,000 cells, {many} of 160,000").into());
    }
    Ok(())
}
