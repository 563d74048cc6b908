//! Where a C function ends before its time: what is left of it becomes an activation, or half of a loop's
//! passes go to another processor.

use super::{Direct, calls, list};
use crate::core::binds::variables;
use crate::core::language::*;
use crate::tam::emit::direct::passes::Passes;
use std::collections::BTreeSet;
use std::fmt::Write;

impl Direct<'_> {
    /// Lines that return from the C function: in one of their own, which gets the variables that they use,
    /// and what `with` declares and passes.
    pub(super) fn seldom(&mut self, with: Option<(&str, &str)>, write: impl FnOnce(&mut Self)) {
        let (out, depth) = (std::mem::take(&mut self.out), std::mem::replace(&mut self.depth, 1));
        write(self);
        let text = std::mem::replace(&mut self.out, out);
        self.depth = depth;
        let (mut params, mut args) = (vec!["struct tam_join *join".to_owned()], vec!["join".to_owned()]);
        for v in names(&text) {
            let kind = if self.floats.contains(&v) { "double" } else { "tam_word" };
            params.push(format!("{kind} v{v}"));
            args.push(format!("v{v}"));
        }
        if let Some((param, arg)) = with {
            params.push(param.into());
            args.push(arg.into());
        }
        let (func, n) = (self.func, self.seldom_calls.len());
        let function = format!("({}) {{\n{text}}}", params.join(", "));
        let call = match self.seldom_calls.get(&function) {
            Some(call) => call.clone(),
            None => {
                let result = if self.f.results > 0 { "struct tam_value" } else { "void" };
                let head = format!("static __attribute__((cold, noinline)) {result} o{func}_{n}");
                let _ = writeln!(self.seldom, "{head}{function}");
                let call = format!("o{func}_{n}({});", args.join(", "));
                self.seldom_calls.insert(function, call.clone());
                call
            }
        };
        if let Some(give_back) = self.claimed.clone() {
            self.line("if (claimed)");
            self.line(&format!("    {give_back}"));
        }
        if self.f.results > 0 {
            self.line(&format!("return {call}"));
        } else {
            self.line(&call);
            self.line("return;");
        }
    }

    pub(super) fn params_list(&self) -> String {
        let params: Vec<Atom> = self.f.params.iter().map(|v| Atom::Var(*v)).collect();
        list(&self.words(&params))
    }

    /// Leaves the whole call to an activation, which may begin with the C function.
    pub(super) fn begin_again(&mut self) {
        let (number, params) = (self.number, self.params_list());
        if self.f.results > 0 {
            self.line(&format!("return (struct tam_value){{0, tam_rest(join, &cb{number}, {params})}};"));
        } else {
            self.line(&format!("tam_invoke(join, &cb{number}, {params}, 0, 0);"));
            self.line("return;");
        }
    }

    /// Where another processor wants work: gives away the second half of the passes that are left.
    pub(super) fn halves(&mut self) {
        let Some(p) = self.shared() else { return };
        let (i, last, step) =
            (self.word(Atom::Var(p.index)), self.word(Atom::Var(p.last)), self.word(p.step));
        let (distance, sign, back) = match p.down {
            true => (format!("{i} - {last}"), "-", "+"),
            false => (format!("{last} - {i}"), "+", "-"),
        };
        let second: Vec<String> = (self.f.params.iter())
            .map(|v| match *v == p.index {
                true => format!("{i} {sign} half"),
                false => self.word(Atom::Var(*v)),
            })
            .collect();
        let number = self.number;
        self.line("if (__builtin_expect(tam_wanted, 0) && !passes.alone) {");
        self.line(&format!(
            "    tam_word half = (tam_word)tam_half(&passes, (int64_t)({distance}), (int64_t)({step}), turns, \
             tam_slices - slices);"
        ));
        self.line("    if (half) {");
        self.line("        before = to < 0 ? tam_given : before;");
        self.line(&format!("        to = tam_give_half(join, &cb{number}, {});", list(&second)));
        self.line(&format!("        v{} = {i} {sign} half {back} {step};", p.last));
        self.line("    }");
        self.line("}");
    }

    /// The loop, if its passes can be shared out and call functions: others are too short.
    pub(super) fn shared(&self) -> Option<Passes> {
        self.passes.clone().filter(|_| calls(&self.f.body, self.func))
    }

    /// Leaves the whole call to threads.
    pub(super) fn later(&mut self) {
        let (number, params, results) = (self.number, self.params_list(), self.f.results);
        let text = format!("tam_later(join, &cb{number}, {params}, {results})");
        if results > 0 {
            self.line(&format!("return (struct tam_value){{0, {text}}};"));
        } else {
            self.line(&format!("{text};"));
            self.line("return;");
        }
    }

    // ---- what is left ------------------------------------------------------------------------------------

    /// A code-block of what is left here, of which `missing` come late: its number, and its arguments.
    pub(super) fn rest(&mut self, missing: &[Var]) -> (usize, String) {
        let mut body = Block::default();
        for level in self.levels.iter().rev() {
            body.binds.extend(level.binds[level.at..].iter().cloned());
            let Some(dst) = &level.dst else {
                body.results = level.results.clone();
                break;
            };
            let span = self.f.span;
            let copy = |(d, r): (&Var, &Atom)| Bind { dst: vec![*d], op: Op::Copy(*r), span };
            body.binds.extend(dst.iter().zip(&level.results).map(copy));
        }
        let (mut inside, mut free) = (BTreeSet::new(), BTreeSet::new());
        variables(&body, &mut inside, &mut free);
        let live: Vec<Var> =
            free.into_iter().filter(|v| !inside.contains(v) && !missing.contains(v)).collect();
        let params: Vec<Var> = missing.iter().chain(&live).copied().collect();
        let late: Vec<bool> = (0..params.len()).map(|p| p < missing.len()).collect();
        let mut func = Func { params, body, looped: true, ..self.f.clone() };
        crate::passes::simplify::simplify_function(&mut func);
        let number = self.e.rest_block(func, &late, self.func);
        let mut args = vec!["0".to_owned(); missing.len()];
        args.extend(live.iter().map(|v| self.word(Atom::Var(*v))));
        (number, list(&args))
    }

    /// Makes an activation `k` of what is left.
    pub(super) fn make_rest(&mut self, missing: &[Var]) {
        let (number, args) = self.rest(missing);
        self.line(&format!("struct tam_frame *k = tam_rest(join, &cb{number}, {args});"));
    }

    pub(super) fn return_rest(&mut self) {
        let text = if self.f.results > 0 { "return (struct tam_value){0, k};" } else { "return;" };
        self.line(text);
    }

    /// Leaves all that is left to threads, this operation too.
    pub(super) fn cut(&mut self) {
        let (number, args) = self.rest(&[]);
        if self.f.results > 0 {
            self.line(&format!("return (struct tam_value){{0, tam_rest(join, &cb{number}, {args})}};"));
        } else {
            self.line(&format!("tam_invoke(join, &cb{number}, {args}, 0, 0);"));
            self.line("return;");
        }
    }
}

/// The variables that a text of C uses.
fn names(text: &str) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('v') {
        if at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_') {
            continue;
        }
        let digits: String = text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        found.extend(digits.parse::<Var>());
    }
    found
}
