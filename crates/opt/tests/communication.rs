//! Remarks on accesses to shared memory (`-Rcommunication`): how they were optimised, or why they stay
//! fine-grained, with a hint for the program.
//!
//! The programs have the findings of a line after `//> `, with `; ` between them, and the beginnings of the
//! help after ` => `. The findings of lines without a mark are ignored.

mod common;

use c_syntax::Language;
use std::collections::BTreeMap;

fn check(language: Language, text: &str) {
    let plain: String =
        text.lines().map(|line| format!("{}\n", line.split("//> ").next().unwrap())).collect();
    let source = base::Source::new(format!("# 1 \"t\"\n{plain}"));
    let mut tree = common::tree(language, &source).expect("no errors");
    opt::optimise(&mut tree);
    let mut said: BTreeMap<u32, Vec<(String, &str)>> = BTreeMap::new();
    for finding in opt::communication::communication(&tree, &source) {
        let line = source.presumed(finding.span.lo).line;
        said.entry(line).or_default().push((finding.message, finding.help.unwrap_or_default()));
    }
    let mut wrong = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, marks)) = text.split_once("//> ") else { continue };
        let marks = marks.split("; ").map(|mark| mark.split_once(" => ").unwrap_or((mark, "")));
        let marks: Vec<(&str, &str)> = marks.collect();
        let said = said.remove(&line).unwrap_or_default();
        let fits = |(said, mark): (&(String, &str), &(&str, &str))| {
            said.0.starts_with(mark.0) && said.1.starts_with(mark.1) && said.1.is_empty() == mark.1.is_empty()
        };
        if said.len() != marks.len() || !said.iter().zip(&marks).all(fits) {
            wrong += &format!("line {line}: {said:#?}\n  marked: {marks:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn of_each_kind() {
    check(
        Language::Upc,
        "\
shared int a[8 * THREADS], b[8 * THREADS], one, some;
strict shared int flag;
struct s { int n; double x[4]; };
shared struct s r[8 * THREADS];
shared [3] int c[3 * THREADS];
shared struct large { double x[40]; } large[8 * THREADS];
shared struct bits { unsigned low : 3, high : 5; } bits;
void f(double *to, struct s *whole, struct large *long_ones, int n) {
    upc_forall (int i = some; i < n; i++; &a[i]) //> read of `some`: fine-grained: the thread waits for the read, outside => `upc_memget`
        a[i] = c[i]; //> write to `a[i]`: privatised: by a local pointer; read of `c[i]`: cached while its loops run
    upc_forall (int i = 0; i < n; i++; &r[i])
        r[i].n += r[i].x[1]; //> update of `r[i].n`: privatised: by a local pointer; read of `r[i].x[1]`: privatised: by a local pointer
    upc_forall (shared struct s *p = r; p < r + n; p++; p)
        p->n++; //> update of `p->n`: privatised: by a local pointer
    upc_forall (int i = 0; i < n; i++; &c[i])
        c[i] = c[i + 1]; //> write to `c[i]`: privatised: by a local pointer; read of `c[i + 1]`: privatised: by a local pointer inside of blocks
    flag = one; //> write to `flag`: fine-grained: the access is strict => make accesses relaxed; read of `one`: fine-grained: the thread waits for the read, outside => `upc_memget`
    for (int i = 0; i < n; i++)
        to[i] = a[b[i]] * one; //> read of `a[b[i]]`: prefetched: ; read of `b[i]`: prefetched, before; read of `one`: read once
    for (int i = 0; i < n; i++) {
        to[i] = a[5 * i]; //> read of `a[5 * i]`: prefetched
        whole[i] = r[i]; //> read of `r[i]`: cached while its loops run
        long_ones[i] = large[i]; //> read of `large[i]`: fine-grained: the loop reads a bit-field => `upc_memget`
        if (to[i] > 1)
            long_ones[i] = large[i]; //> read of `large[i]`: fine-grained: the object is a long struct => `upc_memget`
        if (to[i])
            to[i] = b[5 * i]; //> read of `b[5 * i]`: fine-grained: not every iteration reads the object => read into a variable before
    }
    while (n--)
        to[n] = a[5 * n]; //> read of `a[5 * n]`: fine-grained: the loop does not count => use a `for` loop
    do {
        a[n] = 1; //> write to `a[n]`: fine-grained: a message of its own => `upc_memput`
        to[n] = a[n]; //> read of `a[n]`: fine-grained: the thread waits for the read, outside => `upc_memget`
        a[n] += 1; //> update of `a[n]`: done by the owner
        bits.low = 1; //> write to `bits.low`: fine-grained: the thread waits for the write
        if (n < a[n]) //> update of `a[n]`: done by the owner
            a[n] = n;
        b[n] = b[n] < one ? one : b[n]; //> update of `b[n]`: done by the owner; read of `one`: fine-grained: the thread waits for the read, outside => `upc_memget`
    } while (0);
}
",
    );
}

/// Elements of a directory's arrays are cached; elements at an index that is read are prefetched, even in an
/// array of arrays.
#[test]
fn of_directories_and_of_arrays_of_arrays() {
    check(
        Language::Upc,
        "\
shared [8] int rows[THREADS][8];
shared int x[8 * THREADS];
shared [] int *shared directory[THREADS];
int f(int n) {
    int s = 0;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < n; i++)
            s += rows[t][x[i]]; //> read of `rows[t][x[i]]`: prefetched: ; read of `x[i]`: copied before its
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < n; i++)
            s += directory[t][i]; //> read of `directory[t]`: read once; read of `directory[t][i]`: cached
    upc_forall (int i = 0; i < n; i++; &x[i])
        for (int t = 0; t < THREADS; t++)
            x[i] += directory[t][i]; //> update of `x[i]`: privatised; read of `directory[t]`: copied before its; read of `directory[t][i]`: the elements that the loop reads
    return s;
}
",
    );
}

#[test]
fn of_reasons_to_leave_a_loop_alone() {
    check(
        Language::Upc,
        "\
shared int a[8 * THREADS], b[8 * THREADS];
strict shared int flag;
volatile int noisy;
int other(int), bound, by;
void f(int *to, int n) {
    for (int i = 0; i < n; i++) {
        to[i] = a[i]; //> read of `a[i]`: fine-grained: the body synchronises, leaves => put the reads into a loop of their own, without
        upc_barrier;
    }
    for (int i = 0; i < n; i++)
        to[i] = other(a[i]); //> read of `a[i]`: fine-grained: the loop calls a function => read into a private array
    for (int i = 0; i < n; i++)
        to[i] = a[i] + noisy; //> read of `a[i]`: fine-grained: the loop has volatile => copy the volatile
    for (int i = 0; i < n; i++)
        to[i] = a[i++]; //> read of `a[i++]`: fine-grained: the loop's variable is changed => change the loop's variable
    for (int i = 0; i < bound; i++)
        *to += a[i], bound = *to; //> read of `a[i]`: fine-grained: the loop's condition => copy the bound
    for (int i = 0; i < n; i += by)
        *to += a[i], by = *to; //> read of `a[i]`: fine-grained: the loop's step => use a step
    for (int i = 0; i < n; i++)
        bound = a[bound]; //> read of `a[bound]`: fine-grained: the address of an => compute addresses
    for (int i = 0; i < n; i++)
        if (bound++ % 3)
            to[i] = a[5 * i]; //> read of `a[5 * i]`: fine-grained: no iteration is sure => read into a variable before
    for (int i = 0; i < n; i++)
        if (i % 3 && a[7 * i]) //> read of `a[7 * i]`: prefetched: the reads
            to[i] = b[5 * i]; //> read of `b[5 * i]`: prefetched: the reads
    for (int i = 0; i < n; i++) {
        to[i] = a[b[a[i]]]; //> read of `a[b[a[i]]]`: prefetched: ; read of `b[a[i]]`: prefetched, before; read of `a[i]`: prefetched, before
        if (bound++ % 3)
            to[i] = a[5 * i]; //> read of `a[5 * i]`: fine-grained: not every iteration => read into a variable before
    }
    for (int i = 0; i < n; i++)
        to[i] = a[5 * i] + a[7 * i] + a[8 * i] + a[9 * i] //> read of `a[5 * i]`: fine-grained: the loop has too many reads => write two; read of `a[7 * i]`: fine-grained => write two; read of `a[8 * i]`: fine => write two; read of `a[9 * i]`: fine => write two
                + b[5 * i] + b[6 * i] + b[7 * i] + b[8 * i] + b[9 * i];
}
",
    );
}

#[test]
fn of_split_c() {
    check(
        Language::SplitC,
        "\
int a[100]::, b[100]::;
void f(int n, int *to, int *global p, short *global q) {
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += a[i]; //> read of `a[i]`: strip-mined
    for (i = MYPROC; i < n; i += PROCS)
        b[i + 1] :- s; //> signalling store to `b[i + 1]`: sent without waiting, and counted
    b[n] :- s; //> signalling store to `b[n]`: sent without waiting
    s := p[n]; //> split-phase access to `p[n]`: as written
    to[*p] := *p; //> read of `*p`: fine-grained: the thread waits for the read => split-phase reads; split-phase access to `*p`: as written
    s := *q; //> read of `*q`: fine-grained: the thread waits for the read => split-phase reads
    *p := s; //> split-phase access to `*p`: as written
    to[0] = a[n]; //> read of `a[n]`: fine-grained: the thread waits for the read => split-phase reads
    a[n] = 3; //> write to `a[n]`: fine-grained: the thread waits for the write => split-phase writes
    *p = 3; //> write to `*p`: fine-grained: the thread waits for the write => split-phase writes
    a[n] ^= 3; //> update of `a[n]`: fine-grained: the thread waits for the old
}
",
    );
}

#[test]
fn of_ac() {
    check(
        Language::Ac,
        "dist int a[100];
void f(int n, dist int *p) {
    a[n] = 3; //> write to `a[n]`: fine-grained: a message
    *p = a[n]; //> write to `*p`: fine-grained: the thread waits for the write; read of `a[n]`: fine-grained: the thread waits for the read
}
",
    );
}
