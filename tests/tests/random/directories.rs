//! Random loops over own numbers that read, and sometimes write, the elements at these numbers in the arrays
//! of a directory of shared pointers. Each is done on shared arrays and on private ones, in which every
//! thread does all iterations. A loop that writes accesses no other numbers than its own, so that iterations
//! do not depend on each other.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 5] = ["int", "long", "short", "unsigned char", "double"];
const DIRECTORIES: [&str; 3] = ["shared", "shared [2]", "shared [3]"];
const SUMS: [&str; 4] = ["", "[7]", "[40]", "[1]"];

const REST: &str = "
static long clip(long x) { return (x % 97 + 97) % 97; }
static void fill(void) {
    upc_forall (int t = 0; t < 2 * THREADS; t++; &dir[t])
        dir[t] = (shared [] T *)upc_alloc(SIZE * sizeof(T));
    upc_barrier;
    for (int t = 0; t < 2 * THREADS; t++)
        for (long i = 0; i < SIZE; i++) {
            p_dir[t][i] = clip(i * 5 + t * 11);
            if (MYTHREAD == 0)
                dir[t][i] = p_dir[t][i];
        }
    upc_forall (long i = 0; i < SIZE; i++; &sum[i])
        sum[i] = clip(i);
    for (long i = 0; i < SIZE; i++)
        p_sum[i] = clip(i);
    upc_barrier;
}
static void compare(int loop) {
    upc_barrier;
    long wrong = 0;
    for (int t = 0; t < 2 * THREADS; t++)
        for (long i = 0; i < SIZE; i++)
            wrong += dir[t][i] != p_dir[t][i];
    for (long i = 0; i < SIZE; i++)
        wrong += sum[i] != p_sum[i];
    if (wrong) {
        printf(\"loop %d: %ld wrong elements\\n\", loop, wrong);
        upc_global_exit(1);
    }
    upc_barrier;
}
";

/// The body of a loop; `$`: nothing, or p_ for private objects.
fn body(random: &mut Random) -> String {
    let writes = random.one_in(2);
    let number = |random: &mut Random| match random.below(4) {
        _ if writes => "c".to_owned(),
        0 => format!("c + {}", random.below(9)),
        1 => format!("c - {}", random.below(9)),
        _ => "c".into(),
    };
    let first = random.pick(&["0", "0", "0", "1", "n", "c % 2"]);
    let bound = random.pick(&["2 * THREADS", "2 * THREADS", "THREADS", "n", "2 * THREADS - 1", "c % 3"]);
    let mut inner = format!("s = clip(s * 3 + (long)$dir[t][{}]);", number(random));
    if random.one_in(3) {
        write!(inner, " s += $dir[t][{}];", number(random)).unwrap();
    }
    if writes {
        inner +=
            random.pick(&[" $dir[t][c] = s;", " $dir[t][c] = clip(s + $dir[t][c]);", " $dir[t][c] += 1;"]);
    }
    let also = if random.one_in(4) { "if (s % 3) s += (long)$dir[0][c];" } else { "" };
    format!("long s = c; for (int t = {first}; t < {bound}; t++) {{ {inner} }} {also} $sum[c] += clip(s);")
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = format!(
        "#include <stdio.h>\n#include <upc_relaxed.h>\n#define T {}\n#define SIZE (60L * THREADS)\n",
        random.pick(&TYPES)
    );
    let (directory, sum) = (random.pick(&DIRECTORIES), random.pick(&SUMS));
    writeln!(text, "shared [] T *{directory} dir[2 * THREADS];\nshared {sum} long sum[60 * THREADS];")
        .unwrap();
    writeln!(text, "static T p_dir[2 * 8][60 * 8];\nstatic long p_sum[60 * 8];{REST}").unwrap();
    let mut calls = String::new();
    for number in 0..8 {
        let of = body(&mut random);
        let (from, past) = (8 + random.below(9), 8 + random.below(9));
        let affinity = random.pick(&["c", "&sum[c]", "&sum[c]", "c + 1", "&sum[c - 2]"]);
        let kind = random.pick(&["int", "long"]);
        let [shared, private] = ["", "p_"].map(|prefix| of.replace('$', prefix));
        writeln!(
            text,
            "static void loop{number}(int n) {{\n    \
             upc_forall ({kind} c = {from}; c < SIZE - {past}; c++; {affinity}) {{ {shared} }}\n    \
             for ({kind} c = {from}; c < SIZE - {past}; c++) {{ {private} }}\n}}"
        )
        .unwrap();
        writeln!(calls, "    loop{number}(THREADS);\n    compare({number});").unwrap();
    }
    writeln!(text, "int main(void) {{\n    fill();\n{calls}    return 0;\n}}").unwrap();
    text
}
