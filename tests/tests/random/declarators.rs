//! Random declarations without values: declarators of every nesting, several to a declaration, with layouts,
//! typedefs, prototypes and old-style definitions. The test only compiles them.

use super::records::Dialect;
use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 9] = [
    "int",
    "char",
    "double",
    "unsigned long",
    "const int",
    "volatile short",
    "float",
    "signed char",
    "long long",
];

struct Maker<'a> {
    random: &'a mut Random,
    dialect: Dialect,
}

/// Some declarations and function definitions, their names ending in `id`.
pub fn text(random: &mut Random, dialect: Dialect, id: usize) -> String {
    let mut maker = Maker { random, dialect };
    let mut text = String::new();
    for n in 0..2 + maker.random.below(3) {
        let _ = writeln!(text, "{}", maker.declaration(&format!("d{n}_{id}")));
    }
    text + &maker.function(id)
}

impl Maker<'_> {
    fn base(&mut self) -> String {
        let record =
            self.random.pick(&["struct { int a; short b[3]; }", "union { int a; char b; }", "enum { }"]);
        match self.random.below(8) {
            0 if record != "enum { }" => record.to_string(),
            _ => self.random.pick(&TYPES).to_string(),
        }
    }

    /// The qualifiers of a pointer's target; after the star in Split-C.
    fn star(&mut self, within: &str) -> String {
        match self.dialect {
            Dialect::SplitC => {
                let word = self.random.pick(&["*", "*global ", "*spread ", "*const ", "*global const "]);
                format!("{word}{within}")
            }
            _ => {
                let word = self.random.pick(&["*", "*", "*const ", "*volatile "]);
                format!("{word}{within}")
            }
        }
    }

    /// The specifiers of an object on some thread.
    fn shared(&mut self, of: &str) -> String {
        match self.dialect {
            Dialect::Upc => {
                let layout = self.random.pick(&["", "", "[]", "[1]", "[4]", "[2 * 3]"]);
                let qualifier = self.random.pick(&["", "", "strict ", "relaxed "]);
                if self.random.one_in(2) {
                    format!("{qualifier}shared{layout} {of}")
                } else {
                    format!("{of} {qualifier}shared{layout}")
                }
            }
            Dialect::SplitC => of.to_string(),
            Dialect::Ac => format!("dist {of}"),
        }
    }

    /// A declarator of a private object around a name: pointers, arrays, functions. `pointer`: the innermost
    /// part is a pointer or leads to one, so that the specifiers may be shared.
    fn declarator(&mut self, name: String, depth: usize) -> String {
        if depth == 0 {
            return self.star(&name);
        }
        match self.random.below(4) {
            0 if !name.ends_with(')') => {
                let bound = 1 + self.random.below(4);
                let inner = format!("{name}[{bound}]");
                self.declarator(inner, depth - 1)
            }
            1 if !name.ends_with(']') => {
                let parameters = self.parameters();
                let star = self.random.pick(&["*", "*const "]);
                let inner = format!("({star}{name})({parameters})");
                self.declarator(inner, depth - 1)
            }
            2 => {
                let bound = 1 + self.random.below(4);
                let inner = format!("({})[{bound}]", self.star(&name));
                self.declarator(inner, depth - 1)
            }
            _ => {
                let inner = self.star(&name);
                // A further pointer of this declarator has a private target.
                if self.random.one_in(2) { format!("*{inner}") } else { inner }
            }
        }
    }

    fn parameters(&mut self) -> String {
        let form = match self.dialect {
            Dialect::Upc => self.random.pick(&[
                "void",
                "int",
                "int, char *",
                "shared int *",
                "shared[] char *p, ...",
                "shared int p[]",
                "shared[2] double a[][4], int (*)(shared int *)",
                "shared void *, shared const void *, size_t",
                "int n, int a[n]",
                "shared int *shared *p",
                "const shared[4] long *restrict p",
                "shared[] int (*p)[3]",
            ]),
            Dialect::SplitC => self.random.pick(&[
                "void",
                "int",
                "int, char *",
                "int *global",
                "char *spread p, ...",
                "double p[]::[4]",
                "int n, double a[n]::[n]",
                "void *global, void *spread, size_t",
                "int *global *spread p",
            ]),
            Dialect::Ac => self.random.pick(&[
                "void",
                "int",
                "dist int *",
                "dist char *p, ...",
                "dist double p[]",
                "int n, dist double a[n][PROCS]",
                "dist int *dist *p",
                "dist void *, size_t",
            ]),
        };
        form.to_string()
    }

    fn declaration(&mut self, name: &str) -> String {
        let base = self.base();
        match self.random.below(6) {
            // Shared objects.
            0 | 1 => {
                let storage = self.random.pick(&["", "", "static ", "extern "]);
                let other = format!("{name}o");
                match self.dialect {
                    Dialect::Upc => match self.random.below(4) {
                        0 => {
                            format!("{storage}shared[] {base} {name}[{}], {other};", 1 + self.random.below(9))
                        }
                        1 => format!("{storage}shared[*] {base} {name}[4][THREADS], {other}[3 * THREADS];"),
                        2 => format!("{storage}{base} shared {name}, {other}[THREADS][2], *{name}p;"),
                        _ => {
                            let shared = self.shared(&base);
                            let stored = shared.replace("shared[] ", "shared ").replace("shared[]", "shared");
                            format!("{storage}{stored} {name}[2][THREADS], *shared {other}, *{name}p;")
                        }
                    },
                    Dialect::SplitC => match self.random.below(3) {
                        0 => format!("{storage}{base} {name}[PROCS]::, {other};"),
                        1 => format!("{storage}{base} {name}[7][2]::[3], *global {other};"),
                        _ => format!("{storage}{base} *global {name}[PROCS]::[2], *spread {other}[3];"),
                    },
                    Dialect::Ac => match self.random.below(3) {
                        0 => format!("{storage}dist {base} {name}[PROCS], {other};"),
                        1 => format!("{storage}{base} dist {name}[3][PROCS], *{other};"),
                        _ => format!("{storage}{base} *dist {name}, *dist {other}[PROCS];"),
                    },
                }
            }
            // Private objects that lead to shared ones.
            2 | 3 => {
                let storage = self.random.pick(&["", "static ", "extern ", "typedef "]);
                let shared = self.shared(&base);
                let depth = self.random.below(4);
                let first = self.declarator(name.to_string(), depth);
                let depth = self.random.below(3);
                let second = self.declarator(format!("{name}o"), depth);
                format!("{storage}{shared} {first}, {second};")
            }
            // Prototypes.
            4 => {
                let (parameters, more) = (self.parameters(), self.parameters());
                let result = self.shared(&base);
                let base = if base.contains('{') { "int" } else { base.as_str() };
                if result.contains('{') {
                    return format!("{base} {name}({parameters}), {name}o({more});");
                }
                format!("{result} *{name}({parameters}), *(*{name}o({more}))({parameters});")
            }
            // Members.
            _ => {
                let of = self.random.pick(&TYPES);
                let shared = self.shared(of);
                let member = self.declarator("m".to_string(), 2);
                format!(
                    "struct {name}t {{ {shared} {member}, *n; struct {name}t *next; {base} rest; }} {name};"
                )
            }
        }
    }

    /// A function with parameters of all kinds, sometimes in the old style, and declarations in its body.
    fn function(&mut self, id: usize) -> String {
        let of = self.random.pick(&["int", "double", "char"]);
        let (pointer, body) = match self.dialect {
            Dialect::Upc => {
                let layout = self.random.pick(&["", "[]", "[3]"]);
                let body = self.random.pick(&[
                    "static shared int kept[3 * THREADS]; kept[n]++;",
                    "shared[] int (*row)[n] = (shared[] int (*)[n])&one[0]; (*row)[0] += sizeof *row;",
                    "typedef shared[2] int two; two *t = (two *)&one[0]; *t += upc_blocksizeof(two) + upc_phaseof(t);",
                    "int a[THREADS]; a[n] = 0; shared int *q[2] = { &one[0], 0 }; *q[n] = a[0];",
                    "upc_lock_t *lock = upc_global_lock_alloc(); upc_lock(lock); { upc_fence; } upc_unlock(lock);",
                    "for (shared int *q = one; q < &one[n]; ++q) *q -= q - one;",
                    "extern shared int one[]; one[n] = upc_localsizeof(one) + upc_elemsizeof(one);",
                    "switch (n) { case sizeof(shared int *): one[0] = 1; default: ; }",
                    "goto end; end: one[0] = one[n] ? one[0] : (one[0] = 3, one[n]);",
                    "struct { shared int *at; int n; } local = { .at = &one[n], .n = 1 }; *local.at = local.n;",
                ]);
                (format!("shared{layout} {of} *p"), body)
            }
            Dialect::SplitC => {
                let word = self.random.pick(&["global", "spread"]);
                let body = self.random.pick(&[
                    "static int kept[3]; kept[n]++;",
                    "int block[n]::[3]; block[0][1] = n; ",
                    "int v; v := one[n]; sync(); one[n] := v; sync(); one[n] :- v + 1; all_store_sync();",
                    "int *spread q = one; q += n; q--; *q = q - (int *spread)one;",
                    "struct { int *global at; int n; } local = { .at = &one[n], .n = 1 }; *local.at = local.n;",
                    "register int v; register int *global q = &one[n]; v := *q++; sync(); one[0] = v + toproc(q);",
                ]);
                (format!("{of} *{word} p"), body)
            }
            Dialect::Ac => {
                let body = self.random.pick(&[
                    "static dist int kept[PROCS]; kept[n]++;",
                    "dist int block[n][PROCS]; block[0][1] = n;",
                    "dist int *q = one; q += n; q--; *q = q - one;",
                    "struct { dist int *at; int n; } local = { .at = &one[n], .n = 1 }; *local.at = local.n;",
                ]);
                (format!("dist {of} *p"), body)
            }
        };
        let rest = "return p ? (int)*p + (p == 0) : n;";
        if self.random.one_in(4) {
            return format!("int f{id}(n, p) int n; {pointer}; {{ {body} {rest} }}\n");
        }
        format!("int f{id}(int n, {pointer}) {{ {body} {rest} }}\n")
    }
}
