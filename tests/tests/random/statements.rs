//! Typed random statements and declarations of local objects.

use super::expressions::Maker;
use super::records::Dialect;
use super::types::{Kind, Type};

impl Maker {
    pub fn statement(&mut self, depth: usize) -> String {
        match self.types.random.below(if depth > 0 { 22 } else { 8 }) {
            0..=3 => self.assign(),
            4 => self.declaration(),
            5 => format!("{};", self.number(2)),
            6 => self.call(&|_| true, 1).map_or_else(|| ";".to_string(), |call| format!("{call};")),
            7 => self.of_dialect(),
            8 => {
                let condition = self.condition(2);
                format!("if ({condition}) {} else {}", self.block(depth), self.block(depth))
            }
            9 => format!("while ({}) {}", self.condition(1), self.block(depth)),
            10 => format!("do {} while ({});", self.block(depth), self.condition(1)),
            11 => {
                let clause = self.types.random.pick(&["int k = 0; k < n; k++", "i = 0; i < n; i += 2", ";;"]);
                format!("for ({clause}) {}", self.loop_body(depth))
            }
            12 => self.switch(depth),
            13 if self.jumps => self.jump(),
            14..=16 if self.types.dialect == Dialect::Upc => self.forall(depth),
            17 | 18 => self.transfer(),
            _ => self.block(depth),
        }
    }

    /// Statements in braces, with declarations that only such a scope may have.
    fn block(&mut self, depth: usize) -> String {
        let outside = self.scope();
        let mut text = "{ ".to_string();
        if self.types.dialect == Dialect::Upc && self.types.random.one_in(8) {
            text += self.types.random.pick(&["\n#pragma upc strict\n", "\n#pragma upc relaxed\n"]);
        }
        if self.types.random.one_in(4) {
            text += &self.variable_length();
        }
        for _ in 0..1 + self.types.random.below(2) {
            text += &self.statement(depth - 1);
            text.push(' ');
        }
        self.leave(outside);
        text + "}"
    }

    fn loop_body(&mut self, depth: usize) -> String {
        let jump = self.types.random.pick(&["", "if (n) continue;", "if (i) break;"]);
        format!("{{ {jump} {} }}", self.block(depth))
    }

    fn switch(&mut self, depth: usize) -> String {
        let on = self.integer(1);
        let label = self.types.random.pick(&["4", "sizeof(int)", "1 + 1", "-'a'"]);
        let (a, b, c) = (self.block(depth), self.block(depth), self.block(depth));
        format!("switch ({on}) {{ case 0: {a} break; case {label}: case 5 ... 9: {b} default: {c} }}")
    }

    fn jump(&mut self) -> String {
        if self.types.random.one_in(2) {
            return format!("if ({}) goto end;", self.condition(1));
        }
        if self.result.kind == Kind::Void {
            return format!("if ({}) return;", self.condition(1));
        }
        let result = self.result.clone();
        format!("if ({}) return {};", self.condition(1), self.value(&result, 2))
    }

    /// A upc_forall with each kind of affinity; nothing may jump out of it.
    fn forall(&mut self, depth: usize) -> String {
        let affinity = match self.types.random.below(6) {
            0 => String::new(),
            1 => "continue".to_string(),
            2 => "k".to_string(),
            3 => self.integer(1),
            _ => match self.place(|place| place.distant && !matches!(place.ty.kind, Kind::Bits(_)), 1) {
                Some(place) => format!("&{}", place.text),
                None => "k".to_string(),
            },
        };
        let jumps = std::mem::replace(&mut self.jumps, false);
        let outside = self.scope();
        self.variable("k".to_string(), Type::basic("int"));
        let clauses = self.types.random.pick(&[
            "int k = 0; k < n; k++",
            "int k = n, l = 3; k > l; k -= 2",
            "int k = 0; ;",
        ]);
        let body = if self.types.random.one_in(3) { self.statement(0) } else { self.block(depth) };
        // A declaration is no statement.
        let text = format!("upc_forall ({clauses}; {affinity}) {{ {body} }}");
        self.leave(outside);
        self.jumps = jumps;
        text
    }

    fn assign(&mut self) -> String {
        let wanted = |ty: &Type| !matches!(ty.kind, Kind::Array(..) | Kind::Spread(..));
        let Some(place) = self.place(|place| wanted(&place.ty) && !place.constant, 2) else {
            return ";".to_string();
        };
        if place.ty.arithmetic() && self.types.random.one_in(3) {
            let operator = self.types.random.pick(&["+", "-", "*", "/"]);
            return format!("{} {operator}= {};", place.text, self.number(2));
        }
        let ty = place.ty.clone();
        format!("{} = {};", place.text, self.value(&ty, 3))
    }

    // ---- declarations ----

    /// A local object of any storage.
    fn declaration(&mut self) -> String {
        let name = self.types.name("v");
        match self.types.random.below(8) {
            0 | 1 => {
                let ty = self.static_type(false);
                let text = self.types.declare(&ty, &name);
                let value = self.initialiser(&ty);
                self.variable(name, ty);
                format!("static {text}{value};")
            }
            2 => {
                let ty = self.types.scalar(1);
                let value = self.value(&ty, 1);
                let text = self.types.declare(&ty, &format!("m{name}"));
                self.variable(format!("{name}.m{name}"), ty);
                format!("struct {{ {text}; int rest[2]; }} {name} = {{ {value} }};")
            }
            3 => {
                let ty = self.types.scalar(2);
                let value = self.value(&ty, 2);
                let text = self.types.declare(&ty, &name);
                self.variable(name, ty);
                format!("{text} = {value};")
            }
            4 => {
                let ty = self.types.scalar(2);
                let text = self.types.declare(&ty, &format!("type_{name}"));
                self.variable(name.clone(), ty);
                format!("typedef {text}; type_{name} {name} = {{ 0 }};")
            }
            5 => {
                // Two declarators of one declaration.
                let ty = self.types.arithmetic();
                let Kind::Basic(of) = ty.kind else { return ";".to_string() };
                let value = self.number(1);
                self.variable(format!("{name}a"), Type::basic(of));
                format!(
                    "{of} {name}a = {value}, *{name}b = &{name}a, {name}c[3] = {{ [1] = {name}a, {name}a }};"
                )
            }
            _ => {
                let ty = self.types.object(2);
                let register = self.types.random.one_in(5);
                let value = self.local_initialiser(&ty);
                let text = self.types.declare(&ty, &name);
                if register {
                    return format!("register {text}{value};");
                }
                self.variable(name, ty);
                format!("{text}{value};")
            }
        }
    }

    /// An initialiser of computed values.
    fn local_initialiser(&mut self, ty: &Type) -> String {
        if self.types.random.one_in(3) {
            return String::new();
        }
        format!(" = {}", self.local_value(ty, 2))
    }

    fn local_value(&mut self, ty: &Type, depth: usize) -> String {
        match &ty.kind {
            Kind::Array(of, _) => {
                let value = self.local_value(of, depth);
                self.types.random.pick(&["{ @ }", "{ [0] = @ }", "{ [0 ... 0] = @ }"]).replace('@', &value)
            }
            Kind::Record(number) if self.types.random.one_in(2) => {
                let members = self.types.records[*number].members.clone();
                let (name, of) = members[self.types.random.below(members.len())].clone();
                format!("{{ .{name} = {} }}", self.local_value(&of, depth.saturating_sub(1)))
            }
            _ => self.value(ty, depth),
        }
    }

    /// Objects of variable length, and pointers to them.
    fn variable_length(&mut self) -> String {
        let name = self.types.name("l");
        let of = self.types.arithmetic();
        let element = self.types.declare(&of, "");
        let distributed = match self.types.dialect {
            Dialect::Upc => self.types.random.pick(&[
                "shared @ (*$p)[n] = 0; if ($p) i += sizeof *$p;",
                "shared[] @ (*$p)[n + 1] = 0; if ($p) (*$p)[i] = 1;",
                "shared[3] @ *$p[n]; $p[0] = 0;",
                "typedef shared @ $t[THREADS]; $t *$p = 0; if ($p) (*$p)[i] = 2;",
            ]),
            Dialect::SplitC => self.types.random.pick(&[
                "@ $p[n]::; $p[i] = 1;",
                "@ $p[n]::[n]; $p[i][0] = 1;",
                "@ (*global $p)[n] = 0; if ($p) (*$p)[i] = 1;",
            ]),
            Dialect::Ac => {
                self.types.random.pick(&["dist @ $p[n]; $p[i] = 1;", "dist @ $p[3][PROCS]; $p[0][i] = 1;"])
            }
        };
        let text = match self.types.random.below(3) {
            0 => distributed,
            1 => "@ $[n]; $[i] = 1;",
            _ => "@ $[2][n + 1]; (*$)[i] = 1; @ (*$p)[n + 1] = $; $p[1][0] = sizeof $p[0];",
        };
        text.replace('@', element.trim_end()).replace('$', &name) + " "
    }

    // ---- the dialects ----

    /// Statements of the dialect's own.
    fn of_dialect(&mut self) -> String {
        match self.types.dialect {
            Dialect::Upc if self.jumps => self
                .types
                .random
                .pick(&[
                    "upc_barrier;",
                    "upc_barrier n;",
                    "upc_notify i; upc_wait i;",
                    "upc_fence;",
                    "upc_barrier(2);",
                ])
                .to_string(),
            Dialect::SplitC => {
                let wanted =
                    |ty: &Type| !matches!(ty.kind, Kind::Array(..) | Kind::Spread(..) | Kind::Bits(_));
                let Some(place) =
                    self.place(|place| place.distant && wanted(&place.ty) && !place.constant, 1)
                else {
                    return "sync();".to_string();
                };
                let ty = place.ty.unqualified();
                let value = self.value(&ty, 1);
                let kept = self.types.declare(&ty, "kept");
                // One side is local.
                match self.types.random.below(3) {
                    0 => format!("{{ {kept}; kept := {}; sync(); }}", place.text),
                    1 => format!("{{ {kept} = {value}; {} := kept; sync(); }}", place.text),
                    _ => format!("{{ {kept} = {value}; {} :- kept; }}", place.text),
                }
            }
            _ => "i = i + 1;".to_string(),
        }
    }

    /// Copies by the library.
    fn transfer(&mut self) -> String {
        let wanted = |ty: &Type| !matches!(ty.kind, Kind::Bits(_) | Kind::Spread(..));
        let (Some(here), Some(there)) = (
            self.place(|place| !place.distant && wanted(&place.ty) && !place.constant, 1),
            self.place(|place| place.distant && wanted(&place.ty) && !place.constant, 1),
        ) else {
            return ";".to_string();
        };
        let form = match self.types.dialect {
            Dialect::Upc => self.types.random.pick(&[
                "upc_memget((void *)&@, &$, sizeof(@));",
                "upc_memput(&$, (void *)&@, sizeof $);",
                "upc_memset(&$, n, sizeof($));",
                "upc_memcpy(&$, &$, 1);",
                "upc_all_broadcast(&$, &$, 1, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);",
            ]),
            Dialect::SplitC => self.types.random.pick(&[
                "bulk_read((void *)&@, (void *global)&$, sizeof(@));",
                "bulk_write((void *global)&$, (void *)&@, 1);",
            ]),
            Dialect::Ac => "bulk_read((void *)&@, (dist void *)&$, sizeof(@));",
        };
        form.replace('@', &here.text).replace('$', &there.text)
    }
}
