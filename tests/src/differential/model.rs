//! The serial model of a program: the same text as plain C, in which one process is all threads. It runs each
//! step for one thread after the other. Shared objects are plain ones. Each thread has a copy of the private
//! objects, which is put in place while the model runs that thread.

use super::world::World;
use std::fmt::Write;

/// The text after the objects, for UPC and for the model. The arguments of both: without any, all cases run;
/// with `K`, case K; with `K S`, case K and every S-th after it.
fn main_function(setup: &str, calls: &str) -> String {
    format!(
        "static int first, step = 1;\nstatic int wanted(int k) {{ return k % step == first; }}\n\
         static void begin(int k) {{\n    EACH(fill(k, N * THREADS))\n}}\n\
         static void end(int k) {{\n    EACH(sums[MYTHREAD] = hash(N * THREADS))\n    FIRST {{\n        \
         unsigned long s = 0;\n        for (int t = 0; t < THREADS; t++)\n            s += sums[t];\n        \
         printf(\"%d %016lx\\n\", k, s);\n        fflush(stdout);\n    }}\n}}\n\
         int main(int argc, char **argv) {{\n    SETUP\n    if (argc > 1)\n        \
         first = atoi(argv[1]), step = argc > 2 ? atoi(argv[2]) : 1 << 30;\n    memset(&nowhere, 0xaa, sizeof nowhere);\n{setup}    \
         EACH(dir[MYTHREAD] = (part)LOCAL(N * THREADS * sizeof(long)))\n{calls}    return 0;\n}}\n"
    )
}

const UPC: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <upc_atomic.h>\n\
#include <upc_relaxed.h>\n\
static upc_atomicdomain_t *domain_int, *domain_long, *domain_double;\n\
static void domains(void) {\n    \
    domain_int = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_XOR | UPC_SET | UPC_MAX, 0);\n    \
    domain_long = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_XOR | UPC_SET | UPC_MAX, 0);\n    \
    domain_double = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_SET | UPC_MAX, 0);\n}\n\
#define FETCH(T, old, op, object, value) \
{ T by_ = (value); upc_atomic_relaxed(domain_##T, &(old), UPC_##op, &(object), &by_, NULL); }\n\
#define DIM THREADS\n#define ALLOC(count, size) upc_all_alloc(count, size)\n#define LOCAL(size) upc_alloc(size)\n\
#define EACH(call) { call; upc_barrier; }\n#define FIRST if (MYTHREAD == 0)\n#define SETUP domains();\n";

/// The first argument is the number of threads. If `EXACT` is defined, as that number, arrays have no spare
/// elements, so that a sanitizer finds accesses past their ends.
const MODEL: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
static int MYTHREAD;\n#ifdef EXACT\n#define DIM EXACT\nenum { THREADS = EXACT };\n#define SET(n)\n\
#else\n#define DIM 8\nstatic int THREADS;\n#define SET(n) THREADS = n;\n#endif\n\
#define ALLOC(count, size) calloc(count, size)\n#define LOCAL(size) calloc(1, size)\n\
#define EACH(call) for (MYTHREAD = 0; MYTHREAD < THREADS; MYTHREAD++) { swap(); call; swap(); }\n\
#define FIRST if ((MYTHREAD = 0, 1))\n#define SETUP SET(atoi(argv[1])) argc--, argv++;\n\
#define FETCH(T, old, op, object, value) \
{ T by_ = (value), *at_ = &(object); old = *at_; *at_ = FETCH_##op(T, old, by_); }\n\
#define FETCH_ADD(T, a, b) \
((T)1 / 2 ? (T)((a) + (b)) : (T)((unsigned long)(long)(a) + (unsigned long)(long)(b)))\n\
#define FETCH_XOR(T, a, b) ((T)((long)(a) ^ (long)(b)))\n#define FETCH_SET(T, a, b) (b)\n\
#define FETCH_MAX(T, a, b) ((a) > (b) ? (a) : (b))\n\
static void swap(void);\n";

/// A program, as UPC.
pub fn upc(world: &World, functions: &str, calls: &str) -> String {
    format!("{UPC}{}{functions}{}", world.text(), main_function(&world.setup(), calls))
}

/// The model of the same program, as C. The number of threads is the first argument, or the macro `EXACT`,
/// with which the arrays have no spare elements.
pub fn model(world: &World, functions: &str, calls: &str) -> String {
    let text = as_c(&(world.text() + functions));
    let mut swap = String::from("static void swap(void) {\n");
    for name in World::PRIVATE {
        let _ = writeln!(
            swap,
            "    {{ static char of[8][sizeof {name}], now[sizeof {name}]; memcpy(now, &{name}, sizeof now); \
             memcpy(&{name}, of[MYTHREAD], sizeof now); memcpy(of[MYTHREAD], now, sizeof now); }}"
        );
    }
    swap += "}\n";
    let main = main_function(&world.setup(), calls);
    format!("{MODEL}{text}{swap}{}", as_c(&main))
}

/// The UPC text without the constructs that C does not have.
pub fn as_c(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.replace("upc_fence;", ";").replace("strict ", "");
        let line = match (line.find("upc_forall ("), line.split_once(" /*= ")) {
            (Some(at), Some((head, rest))) => {
                let (condition, behind) = rest.split_once(" */").unwrap_or((rest, ""));
                let clauses = head.rsplit_once("; ").map_or(head, |(clauses, _)| clauses);
                let clauses = clauses[at..].replace("upc_forall (", "for (");
                format!("{}{clauses}) if ({condition}){behind}", &line[..at])
            }
            _ => line,
        };
        out += &without_shared(&line);
        out.push('\n');
    }
    out
}

/// A line without qualifiers of shared objects.
fn without_shared(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("shared ") {
        out += before;
        let behind = behind.trim_start();
        rest = match behind.strip_prefix('[') {
            Some(layout) => layout.split_once(']').map_or(layout, |(_, behind)| behind.trim_start()),
            None => behind,
        };
    }
    out + rest
}
