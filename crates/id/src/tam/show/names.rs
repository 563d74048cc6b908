//! The names of the variables of a function in descriptions: those in the program's text.
//!
//! A variable without a name is called by its number after a `#`, which no name has. Variables of the same
//! name have the name and then this number: a definition that hides another, or the values of a loop's
//! variable before and after `next`.

use crate::core::language::{Atom, FuncId, Program, Var};
use std::collections::{BTreeMap, HashMap};

/// The names of a function's variables.
pub struct Names<'a> {
    /// The program, for the names of functions, parameters, strings and functions of C.
    pub program: &'a Program,
    own: HashMap<Var, String>,
}

impl<'a> Names<'a> {
    /// The names of the variables of this function.
    pub fn of(program: &'a Program, func: FuncId) -> Names<'a> {
        Names { program, own: unique(program, func) }
    }

    /// The name of a variable.
    pub fn var(&self, v: Var) -> String {
        self.own.get(&v).cloned().unwrap_or_else(|| format!("#{v}"))
    }

    /// The text of an operand.
    pub fn atom(&self, a: &Atom) -> String {
        match a {
            Atom::Var(v) => self.var(*v),
            Atom::Int(n) => n.to_string(),
            // With a point or an exponent, as floats are written.
            Atom::Float(x) => format!("{x:?}"),
        }
    }

    /// The name of a function.
    pub fn func(&self, func: FuncId) -> &'a str {
        &self.program.funcs[func].name
    }

    /// The name of a parameter of another function, by its position.
    pub fn param(&self, func: FuncId, param: usize) -> String {
        let v = self.program.funcs[func].params[param];
        unique(self.program, func).remove(&v).unwrap_or_else(|| format!("{}", param + 1))
    }
}

fn unique(program: &Program, func: FuncId) -> HashMap<Var, String> {
    let Some(names) = program.names.get(&func) else { return HashMap::new() };
    let mut by_name: BTreeMap<&str, Vec<Var>> = BTreeMap::new();
    names.iter().for_each(|(v, name)| by_name.entry(name).or_default().push(*v));
    let called = |(name, vars): (&str, Vec<Var>)| {
        let one = vars.len() == 1;
        let of = move |v: Var| (v, if one { name.to_owned() } else { format!("{name}#{v}") });
        vars.into_iter().map(of).collect::<Vec<_>>()
    };
    by_name.into_iter().flat_map(called).collect()
}
