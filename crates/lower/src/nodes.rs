//! The nodes below the level of the language that a tree may hold ([`opt::tree`]), as C. The passes that have
//! made them are not known here.

use crate::aliasing;
use crate::call;
use crate::decl;
use crate::made::{counts, element, name};
use crate::place::{Place, path_text};
use crate::primitives;
use crate::program::Program;
use crate::stmt;
use crate::{Changes, Lower};
use c_sema::types::Ty;
use c_syntax::ast::*;
use emit::build::{assign, block, declare, for_loop, if_else, statement};
use emit::{Piece, call, seq, splice};
use opt::places::is_bit_field;
use opt::tree::{Access, Loop, Node, Primitive, Slot, Step, Term, Var, VarType};

impl Lower<'_> {
    /// The nodes that a statement has been rewritten to, in braces; `None` if it has not been rewritten.
    pub(crate) fn rewritten_stmt(&mut self, s: StmtId) -> Option<Piece> {
        let nodes = self.program.tree.nodes(s)?;
        Some(block([self.nodes(nodes)]))
    }

    fn nodes(&mut self, nodes: &[Node]) -> Piece {
        let controlling = self.controlling;
        let parts = nodes.iter().map(|node| self.node(node)).collect();
        self.controlling = controlling;
        Piece::Seq(parts)
    }

    fn node(&mut self, node: &Node) -> Piece {
        match node {
            &Node::Stmt(s) => seq![self.whole_stmt(s), " "],
            &Node::Continued(s) => seq![self.continued(s), " "],
            &Node::First(s) => self.first_clause(s),
            Node::Declare { var, ty, value } => self.declared(*var, ty, value.as_ref()),
            Node::Define(sym, value) => {
                // Other passes may have replaced all its uses in the program.
                let (ty, value) = (self.program.type_text(self.program.typed.sym(*sym).ty), self.term(value));
                declare(
                    format!("{ty} {} __attribute__((unused))", self.program.typed.sym(*sym).name),
                    Some(value),
                )
            }
            &Node::Shadow(sym) => {
                seq![call!["MER_ROUNDS_OWN"; self.program.typed.sym(sym).name.to_string()], " "]
            }
            Node::Trial { stop, body, done } => {
                let (stop, done) = (name(*stop), slot(self.program, *done));
                let body = block([self.nodes(body)]);
                seq![
                    format!("{{ __label__ {stop}; do "),
                    body,
                    format!(" while (0); {done} = 1; {stop}:; }} ")
                ]
            }
            Node::Assign(to, value) => statement(assign(slot(self.program, *to), self.term(value))),
            Node::Loop(l) => self.made_loop(l),
            Node::Unrolled => "MER_UNROLLED ".into(),
            Node::If { test, then, otherwise } => {
                let (test, then) = (self.term(test), block([self.nodes(then)]));
                let otherwise = (!otherwise.is_empty()).then(|| block([self.nodes(otherwise)]));
                if_else(test, then, otherwise)
            }
            Node::Known(hosts, body) => {
                let outer = std::mem::replace(&mut self.hosts, *hosts);
                let text = self.nodes(body);
                self.hosts = outer;
                text
            }
            Node::ForallScope(var) => {
                self.controlling += 1;
                statement(call!["MER_FORALL_SCOPE"; name(*var)])
            }
            &Node::AllIterations { forall, outer, seldom } => {
                let around = std::mem::replace(&mut self.seldom, seldom);
                let text = self.all_iterations(forall, &name(outer));
                self.seldom = around;
                // The text runs only inside another upc_forall, for more iterations than the loop was written
                // for. The C compiler sees that number and would warn.
                if seldom { seq!["MER_SELDOM_BEGIN ", text, " MER_SELDOM_END "] } else { text }
            }
            Node::StoreCounts(var, size) => {
                statement(call!["MER_STORES_SCOPE"; name(*var), size.to_string()])
            }
            &Node::Start { read, buffer, at, waiting, met } => {
                // A call costs little beside a message, but much beside adding a pair to a row.
                let (how, (whole, bits, path)) = if self.program.tree.is_scattered(read) {
                    ("MER_PREFETCH_SCATTERED", self.shared_parts(read))
                } else {
                    ("MER_PREFETCH_START", self.shortly(|lower| lower.shared_parts(read)))
                };
                let slot = element(buffer, at);
                let start = call![how; whole, bits, path, slot, counts(waiting), name(met)];
                ahead(self.program, read, start)
            }
            &Node::Hold { read, buffer, at, waiting, met, .. } if call::is_atomic(self.program, read) => {
                let ends = [element(buffer, at), counts(waiting), name(met)].map(Piece::text);
                let args = self.atomic_args(read).into_iter().chain(ends);
                statement(Piece::call("MER_ATOMIC_START", args))
            }
            &Node::Hold { read, buffer, at, waiting, met, lost } => {
                // The same holds here. An object on this host is not requested at all.
                let scattered = self.program.tree.is_scattered(read);
                let place = if scattered {
                    self.any_parts(read)
                } else {
                    self.shortly(|lower| lower.any_parts(read))
                };
                let slot = element(buffer, at);
                match (place, lost) {
                    (Place::Own(object), None) => statement(assign(slot, object)),
                    (Place::Own(object), Some(lost)) => {
                        ahead(self.program, read, call!["MER_EARLY_OWN"; object, slot, name(lost)])
                    }
                    (Place::Shared { whole, bits, path }, lost) => {
                        let (path, waiting, met) = (path_text(path), counts(waiting), name(met));
                        let hold = match self.program.access_of(read) {
                            Some(Access::Cached(_)) => "MER_CACHE_HOLD",
                            _ if scattered => "MER_PREFETCH_SCATTERED",
                            _ => "MER_PREFETCH_HOLD",
                        };
                        let text = match lost {
                            None => call![hold; whole, bits, path, slot, waiting, met],
                            Some(lost) => {
                                let ty = aliasing::access_type(
                                    self.program,
                                    read,
                                    self.program.object_type(self.program.typed.ty(read)),
                                );
                                let lost = name(lost);
                                call!["MER_EARLY_HOLD"; hold, ty, whole, bits, path, slot, waiting, met, lost]
                            }
                        };
                        ahead(self.program, read, text)
                    }
                }
            }
            &Node::StartCached { read, waiting, met } => {
                let (whole, bits, path) = self.shortly(|lower| lower.shared_parts(read));
                let ty = self.program.type_text(self.program.typed.ty(read));
                let start = call!["MER_CACHE_START"; ty, whole, bits, path, counts(waiting), name(met)];
                ahead(self.program, read, start)
            }
            Node::Leave(test) => if_else(self.term(test), "break; ".into(), None),
            Node::Do(call) => statement(self.term(call)),
            &Node::Extremum { object, value, test, always, original } => {
                match self.extremum(object, value, test, always) {
                    Some(text) => statement(text),
                    None => seq![self.whole_stmt(original), " "],
                }
            }
            Node::Wait(waiting) => statement(call!["mer_remote_get_wait"; format!("&{}", counts(*waiting))]),
        }
    }

    /// The result of `lowered`, with calls in place of inline code. For an address whose object is then
    /// requested by message: a call costs little beside a message.
    fn shortly<T>(&mut self, lowered: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.seldom, true);
        let made = lowered(self);
        self.seldom = around;
        made
    }

    /// A statement with its changes, on its own lines.
    pub(crate) fn whole_stmt(&mut self, s: StmtId) -> Piece {
        let mut changes = Changes::new();
        self.edit(&mut changes).stmt(s);
        splice(self.program.unit.stmts[s].span, changes)
    }

    /// A loop without its first clause.
    fn continued(&mut self, s: StmtId) -> Piece {
        let unit = self.program.unit;
        let StmtKind::For { init, cond, step, body } = unit.stmts[s].kind else { return self.whole_stmt(s) };
        if stmt::reads_while(self.program, s) {
            return self.whole_stmt(s);
        }
        let mut changes = Changes::new();
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => changes.push((self.program.span(e), Piece::empty())),
            ForInit::Decl(d) => changes.push((unit.decls[d].span, ";".into())),
        }
        cond.iter().for_each(|&c| self.edit(&mut changes).condition(c));
        step.iter().for_each(|&e| self.edit(&mut changes).effect(e));
        self.edit(&mut changes).stmt(body);
        splice(unit.stmts[s].span, changes)
    }

    /// The first clause of a `for`, as statements.
    fn first_clause(&mut self, s: StmtId) -> Piece {
        let unit = self.program.unit;
        match unit.first_clause(s) {
            ForInit::None => Piece::empty(),
            ForInit::Expr(e) => seq![self.effect(e).flat(), "; "],
            ForInit::Decl(d) => self.declared_in_front(d),
        }
    }

    /// The declaration of a first clause, as statements.
    pub(crate) fn declared_in_front(&mut self, d: DeclId) -> Piece {
        let mut inner = Changes::new();
        self.edit(&mut inner).decl(d);
        if decl::is_rewritten(self.program, self.function == 0, d) {
            Piece::Seq(inner.into_iter().map(|(_, piece)| piece).collect())
        } else {
            seq![splice(self.program.unit.decls[d].span, inner).flat(), " "]
        }
    }

    fn declared(&mut self, var: Var, ty: &VarType, value: Option<&Term>) -> Piece {
        let var = name(var);
        let declared = match ty {
            VarType::Int => format!("int {var}"),
            VarType::Unsigned => format!("unsigned {var}"),
            VarType::Index => format!("mer_i64 {var}"),
            VarType::Word => format!("mer_u64 {var}"),
            VarType::Shared => format!("mer_ptr {var}"),
            VarType::Elements(q) => {
                format!("__typeof__({}) *{var} __attribute__((unused))", self.program.type_text(*q))
            }
            VarType::Value(q) => format!("__typeof__({}) {var}", self.program.type_text(*q)),
            VarType::Buffer(q) => {
                let depth = primitives::name(opt::places::depth_for(&self.program.typed.types, *q));
                return seq![call!["MER_PREFETCH_BUFFER"; self.program.type_text(*q), var, depth], " "];
            }
            VarType::Places => {
                return seq![
                    call!["MER_PREFETCH_BUFFER"; "unsigned", var, primitives::name(opt::places::DEPTH)],
                    " "
                ];
            }
            VarType::Like(like) => format!("__typeof__({}) {var}", slot(self.program, *like)),
            VarType::Extent => format!("struct mer_extent {var}"),
            VarType::Notes => format!("struct mer_notes {var}"),
            VarType::Rounds => format!("struct mer_rounds {var}"),
            VarType::Section => format!("struct mer_section {var} = {{0}}"),
            VarType::Counts => format!("int {var}[2] = {{0, 0}}"),
        };
        let value = value.map(|value| match ty {
            VarType::Word => seq!["(mer_u64)", self.operand(value, UNARY)],
            _ => self.term(value),
        });
        declare(declared, value)
    }

    fn made_loop(&mut self, l: &Loop) -> Piece {
        let mut steps = Vec::new();
        for step in &l.step {
            if !steps.is_empty() {
                steps.push(", ".into());
            }
            steps.push(match step {
                Step::Next(var) => Piece::text(format!("{}++", name(*var))),
                Step::Add(var, by) => seq![format!("{} += ", name(*var)), self.term(by)],
                &Step::Effect(e) => self.effect(e).flat(),
            });
        }
        let go = self.term(&l.go);
        for_loop(";".into(), go, Piece::Seq(steps), block([self.nodes(&l.body)]))
    }

    // ---- terms -----------------------------------------------------------------------------------

    /// A term as C.
    pub(crate) fn term(&mut self, term: &Term) -> Piece {
        match term {
            Term::Num(n) => Piece::text(n.to_string()),
            Term::Name(value) => Piece::text(primitives::name(*value)),
            Term::Var(var) => Piece::text(name(*var)),
            &Term::Element(buffer, at) => Piece::text(element(buffer, at)),
            Term::Sym(sym) => Piece::text(self.program.typed.sym(*sym).name.to_string()),
            &Term::Value(e) => self.converted(e).flat(),
            &Term::Holds(e) => self.condition(e).flat(),
            Term::Index(a) => seq!["(mer_i64)", self.operand(a, UNARY)],
            Term::As(q, a) => seq![format!("({})", self.program.type_text(*q)), self.operand(a, UNARY)],
            Term::Size(q) => Piece::text(self.program.elem_size(*q)),
            Term::Native(sym) => Piece::text(self.program.native_of(*sym)),
            Term::First(sym) => Piece::text(self.program.first_of(*sym)),
            &Term::Place(e) => self.number_of_place(e, "mer_extent_private", "MER_EXTENT_SHARED"),
            &Term::InView(e) => self.number_of_place(e, "MER_PLACE_PRIVATE", "MER_PLACE_SHARED"),
            &Term::Remote(e) => {
                let array = matches!(self.program.typed.types.of(self.program.typed.ty(e)), Ty::Array(..));
                let bits = if array { self.bits_of_place(e) } else { self.bits_of_value(e) };
                call!["mer_remote"; bits]
            }
            &Term::Address(e) => self.bits_of_place(e),
            &Term::Stepped(var, by) => {
                Piece::text(format!("{}{}", name(var), if by < 0 { "--" } else { "++" }))
            }
            Term::Ref(var) => Piece::text(format!("&{}", name(*var))),
            Term::Bits(a) => match self.operand(a, UNARY) {
                Piece::Text(name) => Piece::text(name + ".bits"),
                other => seq![other, ".bits"],
            },
            Term::Call(function, args) => {
                if let Some(part) = self.part_by_name(*function, args) {
                    return part;
                }
                let args: Vec<Piece> = args.iter().map(|a| self.term(a)).collect();
                Piece::call(primitives::name(*function), args)
            }
            Term::Bin(op, a, b) => {
                let level = precedence(op);
                seq![self.operand(a, level), format!(" {op} "), self.operand(b, level + 1)]
            }
            Term::Not(a) => seq!["!", self.operand(a, UNARY)],
            Term::Choose(c, a, b) => {
                seq![self.operand(c, 1), " ? ", self.operand(a, 1), " : ", self.operand(b, 1)]
            }
        }
    }

    /// A local pointer into a static array, by the array's name. From the name the C compiler knows that
    /// other arrays do not overlap, and needs no test before a loop. `None` for other calls and arrays.
    fn part_by_name(&mut self, function: Primitive, args: &[Term]) -> Option<Piece> {
        let Term::Call(Primitive::Bits, first) = args.first()? else { return None };
        let [Term::Num(0), Term::Native(sym)] = first[..] else { return None };
        let how = match function {
            Primitive::Own => "MER_OWN_PART",
            Primitive::NearCyclic => "MER_NEAR_PART",
            _ => return None,
        };
        let mut named = vec![
            Piece::text(self.program.where_named(sym)?),
            self.program.typed.sym(sym).name.to_string().into(),
        ];
        named.extend(args[1..].iter().map(|a| self.term(a)));
        Some(Piece::call(how, named))
    }

    /// A term as operand of an operator of this precedence.
    fn operand(&mut self, term: &Term, level: u32) -> Piece {
        let text = self.term(term);
        let own = match term {
            Term::Num(n) if *n < 0 => 0,
            Term::Value(_) | Term::Holds(_) | Term::Choose(..) => 0,
            Term::Bin(op, ..) => precedence(op),
            _ => UNARY,
        };
        if own < level { text.paren() } else { text }
    }

    /// The place of an object as a number: `private` of its private address, or `shared` of its shared one. A
    /// bit-field has no address: its struct stands for it.
    fn number_of_place(&mut self, e: ExprId, private: &'static str, shared: &'static str) -> Piece {
        if let (true, &ExprKind::Member { base, arrow, .. }) =
            (is_bit_field(self.program.tree, e), &self.program.unit.exprs[self.program.unit.bare(e)].kind)
        {
            if !arrow {
                return self.number_of_place(base, private, shared);
            }
            return match self.program.shared_target(base) {
                Some(to) => call![shared; self.program.type_text(to), self.bits_of_value(base), "[0]"],
                None => call![private; self.value(base).flat().paren()],
            };
        }
        if !self.program.is_shared_place(e) {
            return call![private; seq!["&", self.value(e).flat().paren()]];
        }
        match self.any_parts(e) {
            Place::Own(object) => call![private; seq!["&", object]],
            Place::Shared { whole, bits, path } => call![shared; whole, bits, path_text(path)],
        }
    }

    /// A shared object that is an element through a local pointer.
    pub(crate) fn local_object(&mut self, e: ExprId) -> Option<Piece> {
        let tree = self.program.tree;
        let (base, index, inside) = match tree.access(e)? {
            Access::Element { base, index, inside } => (base, index, inside),
            Access::Own => return self.own_element(e),
            _ => return None,
        };
        let inside = inside.iter().map(|term| seq!["[", self.term(term), "]"]).collect();
        Some(seq![name(*base), "[", self.term(index), "]", Piece::Seq(inside)])
    }
}

/// A read started ahead of its statement, at the line of the read: the profile counts it there.
fn ahead(program: &Program, read: ExprId, start: Piece) -> Piece {
    seq![Piece::At(program.span(read).lo), start, " "]
}

fn slot(program: &Program, slot: Slot) -> String {
    match slot {
        Slot::Made(var) => name(var),
        Slot::Sym(sym) => program.typed.sym(sym).name.to_string(),
        Slot::Element(buffer, at) => element(buffer, at),
    }
}

/// The precedence of operators with one operand.
const UNARY: u32 = 10;

/// How tightly an operator of C binds.
fn precedence(op: &str) -> u32 {
    match op {
        "*" | "/" | "%" => 6,
        "+" | "-" => 5,
        "<" | ">" | ">=" => 4,
        "==" => 3,
        "&&" => 2,
        _ => 1,
    }
}
