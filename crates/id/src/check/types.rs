//! Types, their unification, and how they are shown (docs/id90.md, "Types").
//!
//! The type of an array has the array's kind as an argument:
//!
//! - `F`, a functional array, which a comprehension makes;
//! - `I`, an I-array, which an allocation makes;
//! - `S`, an array that can be stored into, which a store wants;
//! - `M`, an M-array, which is compatible with no other kind.
//!
//! A subscript leaves the kind open. Functional arrays and I-arrays are read in the same way, so that either
//! may stand for the other: of the first three kinds only `F` and `S` exclude each other. An array that may
//! be of either kind is functional; so `I` tells of a variable only that it is not `M` ([`Var::reads`]).

use crate::stack::with_stack;
use base::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A type to be inferred, or any type if the variable is generalised.
    Var(usize),
    /// A named type and its arguments.
    Con(Rc<str>, Rc<[Ty]>),
    /// A function.
    Fun(Rc<(Ty, Ty)>),
    /// A tuple.
    Tuple(Rc<[Ty]>),
}

/// A type with the variables for which any type may stand.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Scheme {
    pub vars: Vec<usize>,
    pub ty: Ty,
}

/// The named type without arguments.
pub fn con(name: &str) -> Ty {
    Ty::Con(name.into(), Rc::new([]))
}

/// The type of values of which nothing determines the type: no such value ever exists. It is printed and
/// compared as any other, so that code for it is no error. No user can write this name.
pub const UNKNOWN: &str = "*";

/// The function from `from` to `to`.
pub fn fun(from: Ty, to: Ty) -> Ty {
    Ty::Fun(Rc::new((from, to)))
}

/// The list of elements of this type.
pub fn list(of: Ty) -> Ty {
    Ty::Con("list".into(), Rc::new([of]))
}

/// The type of an array with `dims` dimensions.
pub fn array(dims: usize, kind: Ty, of: Ty) -> Ty {
    Ty::Con(format!("{dims}d_array").into(), Rc::new([kind, of]))
}

/// Whether this is `int` or `float`.
pub fn is_number(ty: &Ty) -> bool {
    is(ty, "int") || is(ty, "float")
}

/// Whether this is the named type.
pub fn is(ty: &Ty, name: &str) -> bool {
    matches!(ty, Ty::Con(found, _) if &**found == name)
}

/// Whether an array of one of these kinds may be used for one of the other.
fn read_alike(x: &str, y: &str) -> bool {
    matches!((x, y), ("F" | "S", "I") | ("I", "F" | "S"))
}

/// Whether a value of type `from` is converted if `to` is wanted: an `int` if a `float` is wanted, also as a
/// component of a tuple or a function's result; or a function that takes a `float` if one that takes an `int`
/// is wanted. Both types are known.
pub fn is_widened(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Tuple(from), Ty::Tuple(to)) => {
            from.len() == to.len() && from.iter().zip(to.iter()).any(|(from, to)| is_widened(from, to))
        }
        (Ty::Fun(from), Ty::Fun(to)) => is_widened(&to.0, &from.0) || is_widened(&from.1, &to.1),
        _ => is(from, "int") && is(to, "float"),
    }
}

/// The kind of an array's type.
pub fn kind_of(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::Con(name, args) if name.ends_with("d_array") => args.first(),
        _ => None,
    }
}

/// The state of a type variable.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Var {
    pub link: Option<Ty>,
    pub level: usize,
    /// Only `int` or `float` may stand for it.
    pub number: bool,
    /// Only the kind of a functional array or an I-array may stand for it; by default that of an I-array.
    pub reads: bool,
    /// The oldest of the variables that are unified with this one. Its age tells whether the variable was
    /// made in an expression or before it.
    pub first: usize,
    /// How many copies of types, each of a part of the one before, have led to it (`infer::flow`).
    pub copied: u8,
    /// Where the variable was fixed.
    pub why: Option<Span>,
    /// How many variables have been linked to this one: of two, the one with fewer is linked to the other, so
    /// that chains of links stay short.
    pub rank: u32,
}

/// The type variables of a program.
#[derive(Default)]
pub struct Types {
    /// By number.
    pub vars: Vec<Var>,
    /// The level of definitions that are being inferred.
    pub level: usize,
    /// Variables that have been linked, in order, until `infer::settle` takes them.
    pub linked: Vec<usize>,
    /// The last types that could not be made equal are a variable and a type that holds it.
    pub endless: bool,
}

impl Types {
    /// A new variable.
    pub fn fresh(&mut self) -> Ty {
        let (link, level, first) = (None, self.level, self.vars.len());
        self.vars.push(Var {
            link,
            level,
            number: false,
            reads: false,
            first,
            copied: 0,
            why: None,
            rank: 0,
        });
        Ty::Var(first)
    }

    /// A new variable for the kind of an array that is not mutable.
    pub fn readable(&mut self) -> Ty {
        let ty = self.fresh();
        self.vars.last_mut().expect("it was just made").reads = true;
        ty
    }

    /// A new variable for a number.
    pub fn number(&mut self) -> Ty {
        let ty = self.fresh();
        self.vars.last_mut().expect("it was just made").number = true;
        ty
    }

    /// The type with its outermost variable followed.
    pub fn prune(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty {
            match &self.vars[*v].link {
                Some(to) => ty = to,
                None => break,
            }
        }
        ty.clone()
    }

    /// Where the variable that leads to this type was fixed.
    pub fn why(&self, ty: &Ty) -> Option<Span> {
        let mut ty = ty;
        let mut why = None;
        while let Ty::Var(v) = ty {
            why = self.vars[*v].why.or(why);
            match &self.vars[*v].link {
                Some(to) => ty = to,
                None => break,
            }
        }
        why
    }

    /// The type with all variables followed.
    pub fn full(&self, ty: &Ty) -> Ty {
        self.map(ty, &mut |v| Ty::Var(v))
    }

    /// The type with variables followed and the unknown ones replaced by `var`.
    pub fn map(&self, ty: &Ty, var: &mut dyn FnMut(usize) -> Ty) -> Ty {
        match self.prune(ty) {
            Ty::Var(v) => var(v),
            Ty::Con(name, args) if args.is_empty() => Ty::Con(name, args),
            Ty::Con(name, args) => {
                with_stack(|| Ty::Con(name, args.iter().map(|a| self.map(a, var)).collect()))
            }
            Ty::Fun(f) => with_stack(|| fun(self.map(&f.0, var), self.map(&f.1, var))),
            Ty::Tuple(parts) => with_stack(|| Ty::Tuple(parts.iter().map(|a| self.map(a, var)).collect())),
        }
    }

    /// Makes the types equal, because of the text at `why`. On failure some variables may have been fixed.
    pub fn unify(&mut self, a: &Ty, b: &Ty, why: Span) -> bool {
        let (a, b) = (self.prune(a), self.prune(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(v), other) | (other, Ty::Var(v)) => self.fix(*v, other, why),
            (Ty::Con(x, xs), Ty::Con(y, ys)) if Rc::ptr_eq(xs, ys) => x == y || read_alike(x, y),
            (Ty::Tuple(xs), Ty::Tuple(ys)) if Rc::ptr_eq(xs, ys) => true,
            (Ty::Fun(f), Ty::Fun(g)) if Rc::ptr_eq(f, g) => true,
            (Ty::Con(x, xs), Ty::Con(y, ys)) => (x == y || read_alike(x, y)) && self.unify_all(xs, ys, why),
            (Ty::Fun(f), Ty::Fun(g)) => {
                with_stack(|| self.unify(&f.0, &g.0, why) && self.unify(&f.1, &g.1, why))
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) => self.unify_all(xs, ys, why),
            _ => false,
        }
    }

    fn unify_all(&mut self, xs: &[Ty], ys: &[Ty], why: Span) -> bool {
        xs.len() == ys.len() && with_stack(|| xs.iter().zip(ys).all(|(x, y)| self.unify(x, y, why)))
    }

    fn fix(&mut self, v: usize, to: &Ty, why: Span) -> bool {
        if let Ty::Var(w) = *to {
            let (v, w) = if self.vars[v].rank > self.vars[w].rank { (w, v) } else { (v, w) };
            let Var { number, reads, level, first, copied, rank, .. } = self.vars[v];
            let to = &mut self.vars[w];
            (to.number, to.reads) = (to.number || number, to.reads || reads);
            (to.level, to.first) = (to.level.min(level), to.first.min(first));
            to.copied = to.copied.max(copied);
            to.rank += 1 + rank;
            self.link(v, Ty::Var(w), why);
            return true;
        }
        let (number, reads, level) = (self.vars[v].number, self.vars[v].reads, self.vars[v].level);
        if is(to, "I") {
            self.vars[v].reads = true;
            return true;
        }
        if number && !is_number(to) || reads && is(to, "M") {
            return false;
        }
        if !self.lower(to, v, level) {
            self.endless = true;
            return false;
        }
        let to = if self.holds_i_array(to) { self.of_either_kind(to) } else { to.clone() };
        self.link(v, to, why);
        true
    }

    /// Whether a type holds an array of kind `I`.
    fn holds_i_array(&self, ty: &Ty) -> bool {
        with_stack(|| match self.prune(ty) {
            Ty::Var(_) => false,
            ty if is(&ty, "I") => true,
            Ty::Con(_, parts) | Ty::Tuple(parts) => parts.iter().any(|p| self.holds_i_array(p)),
            Ty::Fun(f) => self.holds_i_array(&f.0) || self.holds_i_array(&f.1),
        })
    }

    /// The type with new variables in place of the kinds `I`, of which more may become known.
    fn of_either_kind(&mut self, ty: &Ty) -> Ty {
        with_stack(|| match self.prune(ty) {
            ty if is(&ty, "I") => self.readable(),
            Ty::Con(name, parts) => Ty::Con(name, parts.iter().map(|p| self.of_either_kind(p)).collect()),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.of_either_kind(p)).collect()),
            Ty::Fun(f) => fun(self.of_either_kind(&f.0), self.of_either_kind(&f.1)),
            ty => ty,
        })
    }

    fn link(&mut self, v: usize, to: Ty, why: Span) {
        self.vars[v].link = Some(to);
        self.vars[v].why = Some(why);
        self.linked.push(v);
    }

    /// The result of `look`, with the variables as they were when `mark` of them had been linked.
    pub fn as_before<T>(&mut self, mark: usize, look: impl FnOnce(&Self) -> T) -> T {
        let since = self.linked[mark..].to_vec();
        let links: Vec<Option<Ty>> = since.iter().map(|&v| self.vars[v].link.take()).collect();
        let seen = look(self);
        for (v, link) in since.into_iter().zip(links) {
            self.vars[v].link = link;
        }
        seen
    }

    /// Lowers the variables of a type to this level at most. Returns false if the variable `but` is among
    /// them.
    fn lower(&mut self, ty: &Ty, but: usize, level: usize) -> bool {
        match self.prune(ty) {
            Ty::Var(v) => {
                self.vars[v].level = self.vars[v].level.min(level);
                v != but
            }
            Ty::Con(_, args) | Ty::Tuple(args) => {
                with_stack(|| args.iter().all(|a| self.lower(a, but, level)))
            }
            Ty::Fun(f) => with_stack(|| self.lower(&f.0, but, level) && self.lower(&f.1, but, level)),
        }
    }

    /// The variables of a type above the present level, in order of appearance.
    pub fn free(&self, ty: &Ty) -> Vec<usize> {
        let mut found = Vec::new();
        self.map(ty, &mut |v| {
            if self.vars[v].level > self.level && !found.contains(&v) {
                found.push(v);
            }
            Ty::Var(v)
        });
        found
    }

    /// Whether a type holds a variable.
    pub fn holds(&self, ty: &Ty, v: usize) -> bool {
        with_stack(|| match self.prune(ty) {
            Ty::Var(w) => v == w,
            Ty::Con(_, parts) | Ty::Tuple(parts) => parts.iter().any(|p| self.holds(p, v)),
            Ty::Fun(f) => self.holds(&f.0, v) || self.holds(&f.1, v),
        })
    }

    /// Whether a type holds functions.
    pub fn holds_function(&self, ty: &Ty) -> bool {
        with_stack(|| match self.prune(ty) {
            Ty::Var(_) => false,
            Ty::Fun(_) => true,
            Ty::Con(_, parts) => parts.iter().any(|p| self.holds_function(p)),
            Ty::Tuple(parts) => parts.iter().any(|p| self.holds_function(p)),
        })
    }

    /// A copy of a scheme's type with new variables, and these variables.
    pub fn instance(&mut self, scheme: &Scheme) -> (Ty, Vec<Ty>) {
        if scheme.vars.is_empty() {
            return (scheme.ty.clone(), Vec::new());
        }
        // While a function with a declared type is inferred, its variables may be linked to others.
        let roots: Vec<Ty> = scheme.vars.iter().map(|&v| self.prune(&Ty::Var(v))).collect();
        let alike = |types: &mut Self, root: &Ty| {
            let new = types.fresh();
            if let (Ty::Var(v), Some(var)) = (root, types.vars.len().checked_sub(1)) {
                (types.vars[var].number, types.vars[var].reads) =
                    (types.vars[*v].number, types.vars[*v].reads);
            }
            new
        };
        let new: Vec<Ty> = roots.iter().map(|r| alike(self, r)).collect();
        let ty = self.map(&scheme.ty, &mut |v| match roots.iter().position(|r| *r == Ty::Var(v)) {
            Some(at) => new[at].clone(),
            None => Ty::Var(v),
        });
        (ty, new)
    }

    /// The text of a type as a user writes it, with `...` for the parts below `levels` levels.
    pub fn show_to(&self, ty: &Ty, levels: usize) -> String {
        self.show(&self.cut(ty, levels))
    }

    fn cut(&self, ty: &Ty, levels: usize) -> Ty {
        let below = |parts: &[Ty]| parts.iter().map(|p| self.cut(p, levels - 1)).collect();
        match self.prune(ty) {
            Ty::Con(name, args) if args.is_empty() => Ty::Con(name, args),
            Ty::Var(v) => Ty::Var(v),
            _ if levels == 0 => con("..."),
            Ty::Con(name, args) => Ty::Con(name, below(&args)),
            Ty::Fun(f) => fun(self.cut(&f.0, levels - 1), self.cut(&f.1, levels - 1)),
            Ty::Tuple(parts) => Ty::Tuple(below(&parts)),
        }
    }

    /// The text of a type as a user writes it.
    pub fn show(&self, ty: &Ty) -> String {
        let mut names = HashMap::new();
        self.show_in(ty, 0, &mut names)
    }

    /// The texts of two types, with the same names for their variables.
    pub fn show_both(&self, a: &Ty, b: &Ty) -> (String, String) {
        let mut names = HashMap::new();
        (self.show_in(a, 0, &mut names), self.show_in(b, 0, &mut names))
    }

    /// `tight`: 0 anywhere, 1 left of an arrow, 2 as an argument.
    fn show_in(&self, ty: &Ty, tight: usize, names: &mut HashMap<usize, usize>) -> String {
        with_stack(|| self.shown(ty, tight, names))
    }

    fn shown(&self, ty: &Ty, tight: usize, names: &mut HashMap<usize, usize>) -> String {
        let (text, loose) = match self.prune(ty) {
            Ty::Var(v) if self.vars[v].number => return "a number".into(),
            Ty::Var(v) => {
                let next = names.len();
                return format!("*{}", names.entry(v).or_insert(next));
            }
            Ty::Fun(f) => {
                (format!("{} -> {}", self.show_in(&f.0, 1, names), self.show_in(&f.1, 0, names)), 0)
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.show_in(p, 0, names)).collect();
                return format!("({})", parts.join(", "));
            }
            Ty::Con(name, args) if name.ends_with("d_array") => {
                let kind = match self.prune(&args[0]) {
                    Ty::Con(k, _) if matches!(&*k, "I" | "S") => name.replace("array", "I_array"),
                    Ty::Var(v) if self.vars[v].reads => name.replace("array", "I_array"),
                    Ty::Con(k, _) if &*k == "M" => name.replace("array", "M_array"),
                    _ => name.to_string(),
                };
                (format!("{kind} {}", self.show_in(&args[1], 2, names)), 1)
            }
            Ty::Con(name, args) if args.is_empty() => return name.trim_start_matches('\'').to_string(),
            Ty::Con(name, args) => {
                let args: Vec<String> = args.iter().map(|p| self.show_in(p, 2, names)).collect();
                (format!("{} {}", name.trim_start_matches('\''), args.join(" ")), 1)
            }
        };
        if tight > loose { format!("({text})") } else { text }
    }
}
