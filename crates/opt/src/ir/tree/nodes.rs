//! The parts that optimisations add to a tree: nodes below the level of the language, the terms in them, and
//! the kinds of accesses.

use super::primitive::Primitive;
use c_sema::typed::SymId;
use c_sema::types::QTy;
use c_syntax::ast::*;

/// A local variable that an optimisation has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var {
    /// The variable's number, which no other variable of the tree has.
    pub number: u32,
    /// The purpose of the variable, with which its name in C begins.
    pub what: &'static str,
}

/// The type of a [`Var`].
#[derive(Clone, Debug)]
pub enum VarType {
    /// `int`: a flag, or a count of reads under way.
    Int,
    /// `unsigned`: a count within a part of a loop.
    Unsigned,
    /// A number of elements or iterations, 64 bits.
    Index,
    /// 64 bits without sign.
    Word,
    /// A pointer-to-shared without phase.
    Shared,
    /// A local pointer to elements of this type.
    Elements(QTy),
    /// A value of this type.
    Value(QTy),
    /// A buffer of twice as many values of this type as a loop prefetches at a time.
    Buffer(QTy),
    /// A buffer of counts, as long as a [`VarType::Buffer`].
    Places,
    /// Two counts of reads under way.
    Counts,
    /// The type of another variable.
    Like(Slot),
    /// The ends of the memory in which objects lie.
    Extent,
    /// Notes of the writes of a part.
    Notes,
    /// Describes a section of a shared array.
    Section,
    /// The state of a loop whose reads are done in rounds.
    Rounds,
}

/// The count of some reads under way.
#[derive(Clone, Copy, Debug)]
pub enum Waiting {
    /// A variable.
    Var(Var),
    /// The element with the index `.1`, 0 or 1, of the two counts `.0`.
    Of(Var, Var),
}

/// A variable, either the program's or a made one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A made variable.
    Made(Var),
    /// A variable of the program's.
    Sym(SymId),
    /// Element `.1` of the made buffer `.0`.
    Element(Var, Var),
}

/// An integer or pointer, computed from the program's values.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number.
    Num(i64),
    /// A value that the runtime has.
    Name(Primitive),
    /// A made variable.
    Var(Var),
    /// Element `.1` of the made buffer `.0`.
    Element(Var, Var),
    /// A variable of the program's.
    Sym(SymId),
    /// The value of an expression of the program's.
    Value(ExprId),
    /// Whether an expression of the program's holds.
    Holds(ExprId),
    /// A term as a number of 64 bits.
    Index(Box<Term>),
    /// A term, converted to a type.
    As(QTy, Box<Term>),
    /// The size of an element of this type, in bytes.
    Size(QTy),
    /// The native address of a shared array.
    Native(SymId),
    /// A local pointer to the first element of a shared array.
    First(SymId),
    /// The place of an object of the program's, as a number. A private pointer and a pointer-to-shared to the
    /// same memory give the same number; other memory may have it too.
    Place(ExprId),
    /// The place of an object of the program's in the view of this process, as a number that no other memory
    /// has.
    InView(ExprId),
    /// Whether an array of the program's, or the object that a pointer of the program's leads to, is remote.
    Remote(ExprId),
    /// The bits of a pointer to the beginning of an array of the program's.
    Address(ExprId),
    /// A pointer to a made variable.
    Ref(Var),
    /// A made variable before it steps by 1 or -1.
    Stepped(Var, i64),
    /// The bits of a pointer-to-shared.
    Bits(Box<Term>),
    /// A call of a function of the runtime.
    Call(Primitive, Vec<Term>),
    /// A binary operator of C's.
    Bin(&'static str, Box<Term>, Box<Term>),
    /// `!`
    Not(Box<Term>),
    /// `c ? a : b`
    Choose(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    /// `a op b`
    pub fn bin(op: &'static str, a: Term, b: Term) -> Term {
        Term::Bin(op, Box::new(a), Box::new(b))
    }

    /// The condition that both terms hold.
    pub fn and(self, other: Term) -> Term {
        Term::bin("&&", self, other)
    }

    /// `self + n`, without the sum if n is 0.
    pub fn plus(self, n: i64) -> Term {
        if n == 0 { self } else { Term::bin("+", self, Term::Num(n)) }
    }

    /// A term as a number of 64 bits.
    pub fn index(a: Term) -> Term {
        Term::Index(Box::new(a))
    }

    /// THREADS as a number of 64 bits.
    pub fn threads() -> Term {
        Term::index(Term::Name(Primitive::Threads))
    }

    /// `function(a)`
    pub fn call(function: Primitive, args: impl IntoIterator<Item = Term>) -> Term {
        Term::Call(function, args.into_iter().collect())
    }

    /// Calls `each` for this term, and for every term in it.
    pub fn each(&self, each: &mut dyn FnMut(&Term)) {
        each(self);
        match self {
            Term::Num(_) | Term::Name(_) | Term::Var(_) | Term::Element(..) | Term::Sym(_) => {}
            Term::Value(_) | Term::Holds(_) | Term::Place(_) | Term::InView(_) | Term::Remote(_) => {}
            Term::Address(_) | Term::Size(_) | Term::Native(_) | Term::First(_) => {}
            Term::Ref(_) | Term::Stepped(..) => {}
            Term::Index(a) | Term::As(_, a) | Term::Bits(a) | Term::Not(a) => a.each(each),
            Term::Call(_, args) => args.iter().for_each(|a| a.each(each)),
            Term::Bin(_, a, b) => [a, b].into_iter().for_each(|a| a.each(each)),
            Term::Choose(c, a, b) => [c, a, b].into_iter().for_each(|a| a.each(each)),
        }
    }

    /// Calls `each` for every expression of the program's in this term.
    pub fn each_expr(&self, each: &mut dyn FnMut(ExprId)) {
        self.each(&mut |term| match *term {
            Term::Value(e) | Term::Holds(e) | Term::Place(e) | Term::InView(e) => each(e),
            Term::Remote(e) | Term::Address(e) => each(e),
            _ => {}
        });
    }

    /// Returns true if the term itself names this variable of the program's. The program's expressions in the
    /// term do not count.
    pub fn names(&self, sym: SymId) -> bool {
        let mut found = false;
        self.each(&mut |term| {
            let named = |&named: &SymId| named == sym;
            found |= matches!(term, Term::Sym(of) | Term::Native(of) | Term::First(of) if named(of));
        });
        found
    }

    /// `c ? a : b`
    pub fn choose(c: Term, a: Term, b: Term) -> Term {
        Term::Choose(Box::new(c), Box::new(a), Box::new(b))
    }
}

impl From<Var> for Term {
    fn from(var: Var) -> Term {
        Term::Var(var)
    }
}

/// The knowledge about the memory of other threads at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hosts {
    /// Nothing is known: an access tests whether its object is remote, and a loop may be versioned.
    #[default]
    Unknown,
    /// All memory is on this host.
    One,
    /// Some memory may be remote.
    Many,
}

/// A node below the level of the language. A list of nodes replaces a statement, and stands in braces of its
/// own.
#[derive(Clone, Debug)]
pub enum Node {
    /// A statement of the program's, or the nodes that replace it.
    Stmt(StmtId),
    /// A loop without its first clause, which has been done.
    Continued(StmtId),
    /// The first clause of a loop, as a statement. The loop is no `upc_forall`, whose iterations begin with
    /// the first one of this thread.
    First(StmtId),
    /// Declares a variable.
    Declare {
        /// The variable.
        var: Var,
        /// The variable's type.
        ty: VarType,
        /// The variable's first value.
        value: Option<Term>,
    },
    /// Declares a variable of the program's, in the scope of the list.
    Define(SymId, Term),
    /// Another variable with the name and type of one of the program's. Its value is 0.
    Shadow(SymId),
    /// A trial of an iteration, which assigns only variables that it declares. A read that is
    /// [`Access::Tried`] may end the trial, at `stop`. Otherwise `done` is set.
    Trial {
        /// The name of the trial's end.
        stop: Var,
        /// The iteration.
        body: Vec<Node>,
        /// Set to 1 if no read has ended the trial.
        done: Slot,
    },
    /// `to = value`
    Assign(Slot, Term),
    /// A loop.
    Loop(Loop),
    /// The next loop does a few iterations for each test of its condition.
    Unrolled,
    /// A choice between two versions.
    If {
        /// The condition.
        test: Term,
        /// The version if the condition holds.
        then: Vec<Node>,
        /// The version if it does not hold.
        otherwise: Vec<Node>,
    },
    /// Nodes at which something is known of the memory of other threads.
    Known(Hosts, Vec<Node>),
    /// The rest of the list is inside one `upc_forall` more; `var` is the number of those around it before.
    ForallScope(Var),
    /// A `upc_forall` that goes through all iterations; `outer` is the number of `upc_forall` around it.
    AllIterations {
        /// The loop.
        forall: StmtId,
        /// Declared by a [`Node::ForallScope`].
        outer: Var,
        /// The loop runs only inside another `upc_forall`. Its accesses are calls, because code in line costs
        /// compile time.
        seldom: bool,
    },
    /// Signalling stores of so many bytes in the rest of the list may be counted in the variable.
    StoreCounts(Var, u64),
    /// Starts the read of a shared object into element `at` of `buffer`, if the object is remote: `waiting`
    /// counts the read, and `met` is set.
    Start {
        /// The object.
        read: ExprId,
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// The count of reads under way.
        waiting: Waiting,
        /// Set if an object is remote.
        met: Var,
    },
    /// Starts a read as [`Node::Start`] does, or copies the value of a local object into the buffer at once.
    /// `read` may be an atomic operation by value, which is then done at once, or begun if its object is
    /// remote.
    Hold {
        /// The object.
        read: ExprId,
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// The count of reads under way.
        waiting: Waiting,
        /// Set if an object is remote.
        met: Var,
        /// Present if the object's address may be a guess ([`crate::facts::early`]). The variable is set if
        /// no object is there; then nothing is read.
        lost: Option<Var>,
    },
    /// Has the cache request a shared object, if the object is remote and not in the cache: `waiting` counts
    /// the request, and `met` is set.
    StartCached {
        /// The object.
        read: ExprId,
        /// The count of requests under way.
        waiting: Waiting,
        /// Set if an object was not in the cache.
        met: Var,
    },
    /// Waits for the reads that this counts.
    Wait(Waiting),
    /// Leaves the loop around this node if the term is true.
    Leave(Term),
    /// A call for its effect.
    Do(Term),
    /// Assigns the value to the object if the test holds between the value and the object. The owner of a
    /// remote object is sent the value.
    Extremum {
        /// The object.
        object: ExprId,
        /// The value.
        value: ExprId,
        /// The test that decides whether the value is assigned.
        test: Test,
        /// The program assigns the object in any case, its old value if need be.
        always: bool,
        /// The original statement, for an object that is known to be local.
        original: StmtId,
    },
}

impl Node {
    /// Declares a number of elements or iterations.
    pub fn index(var: Var, value: Term) -> Node {
        Node::Declare { var, ty: VarType::Index, value: Some(value) }
    }
}

/// An order between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
}

impl Relation {
    /// The relation's operator in C.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::Greater => ">",
            Relation::LessEqual => "<=",
            Relation::GreaterEqual => ">=",
        }
    }
}

/// A test of two values, which may be NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The relation of the left value to the right.
    pub relation: Relation,
    /// The test holds if the relation does not.
    pub negated: bool,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop goes on while this is true.
    pub go: Term,
    /// The steps between two iterations.
    pub step: Vec<Step>,
    /// The body of an iteration.
    pub body: Vec<Node>,
    /// The program's iterations that the loop counts, if it goes through a list of these.
    pub counts: Option<Counting>,
}

/// How a loop goes through iterations of the program's.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// The variable that counts the iterations.
    pub counter: Var,
    /// The program's variable that follows the counter.
    pub var: SymId,
    /// The variable steps by THREADS when the counter steps by one. If false, the variable steps by one too.
    pub turns: bool,
}

impl Loop {
    /// Returns the variable up to which the loop counts, if there is one.
    pub(crate) fn end(&self) -> Option<Var> {
        match &self.go {
            Term::Bin("<", _, end) => match **end {
                Term::Var(end) => Some(end),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the loop's counting, the program's body, and the value that the program's variable gets before
    /// the body, if the loop consists of these alone and counts by one.
    pub(crate) fn counted(&self) -> Option<(Counting, StmtId, Option<&Term>)> {
        let (counts, body, value) = self.iterated()?;
        matches!(self.step[..], [Step::Next(next)] if next == counts.counter).then_some((counts, body, value))
    }

    /// Returns the same parts as [`Loop::counted`], whatever the step of the counter.
    pub(crate) fn iterated(&self) -> Option<(Counting, StmtId, Option<&Term>)> {
        let counts = self.counts?;
        let body = match *self.body.last()? {
            Node::Stmt(body) => body,
            _ => return None,
        };
        let value = match &self.body[..self.body.len() - 1] {
            [] => None,
            [Node::Define(sym, value) | Node::Assign(Slot::Sym(sym), value)] if *sym == counts.var => {
                Some(value)
            }
            _ => return None,
        };
        let alone = |next: Var| next == counts.counter;
        matches!(self.step[..], [Step::Next(next) | Step::Add(next, _)] if alone(next))
            .then_some((counts, body, value))
    }

    /// Calls `each` for every expression of the program's in the loop's condition and steps.
    pub fn each_expr(&self, each: &mut dyn FnMut(ExprId)) {
        self.go.each_expr(each);
        for step in &self.step {
            match step {
                Step::Next(_) => {}
                Step::Add(_, term) => term.each_expr(each),
                &Step::Effect(e) => each(e),
            }
        }
    }
}

/// A step between two iterations of a loop.
#[derive(Clone, Debug)]
pub enum Step {
    /// `var++`
    Next(Var),
    /// `var += term`
    Add(Var, Term),
    /// An expression of the program's, for its effect.
    Effect(ExprId),
}

/// A way to evaluate an expression of the program's that differs from the usual one.
#[derive(Clone, Debug)]
pub enum Access {
    /// An element of a shared array, by a local pointer.
    Element {
        /// The pointer.
        base: Var,
        /// The index of the element, counted from the pointer.
        index: Term,
        /// The subscripts inside the row, if the elements are rows.
        inside: Vec<Term>,
    },
    /// An element of a static array in the row with this thread's number. The thread has affinity to that
    /// row.
    Own,
    /// A shared object whose value a variable holds.
    Value(Var),
    /// A shared object whose value is element `at` of a buffer if `fetched` is set and the object is remote.
    /// Otherwise the object is read, and `met` is set if it is remote.
    Prefetched {
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// Set if the buffer has been filled.
        fetched: Var,
        /// Set if an object is remote.
        met: Var,
    },
    /// A shared object whose value, if the object is remote, comes from the cache for the reads of a nest of
    /// loops. If the cache has to request the value, the variable is set.
    Cached(Option<Var>),
    /// A shared object whose value is element `at` of a buffer if `fetched` is set. Otherwise `otherwise` is
    /// read, a copy of the expression.
    Held {
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// Set if the buffer has been filled.
        fetched: Var,
        /// The read.
        otherwise: ExprId,
    },
    /// An atomic operation by value. If `fetched` is set, the operation has been done already and its value
    /// is element `at` of a buffer.
    Fetched {
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// Set if the buffer has been filled.
        fetched: Var,
    },
    /// A scalar on this host that has been read into element `at` of a buffer, and is read once more by the
    /// expression `otherwise`. If the value differs now, `fetched` becomes 0.
    Again {
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// Set if the buffer has been filled.
        fetched: Var,
        /// The read.
        otherwise: ExprId,
    },
    /// An assignment to a scattered object, together with the assignment of the next statement, to an object
    /// of the same thread.
    WithNext(ExprId),
    /// The assignment of the next statement, which an [`Access::WithNext`] does.
    Done,
    /// A value that is computed as this term.
    Number(Term),
    /// A shared object whose value is element `at` of a buffer if `fetched` is set, unless the object has
    /// been written since the read. Otherwise the object is read, and `met` is set if it is remote.
    Staged {
        /// The buffer.
        buffer: Var,
        /// The index in the buffer.
        at: Var,
        /// Set if the buffer has been filled.
        fetched: Var,
        /// Set if an object is remote.
        met: Var,
        /// The notes of the writes that may be to this object; none if there are none.
        notes: Option<Var>,
        /// Whether addresses of other values in the buffers depend on this value. A write of the object then
        /// clears `fetched`.
        leads: bool,
    },
    /// A shared object that comes, if it is remote, from the cache of the objects that trials have requested.
    /// In a trial, a missing object is requested and ends the trial (`stop`).
    Tried {
        /// The state of the rounds.
        state: Var,
        /// The end of the trial; none outside a trial.
        stop: Option<Var>,
    },
    /// An assignment `sum op= value` of a reduction, in any order: modulo the size of the type.
    Reduction,
    /// A shared object that a statement updates. The owner of a remote object is sent the operand.
    Accumulated,
    /// A signalling store that the variable counts; if none, nothing counts it.
    Counted(Option<Var>),
    /// The step of a loop, which also steps a variable.
    AndNext(Var),
    /// A step of a pointer that is not used. A variable steps by the term instead.
    Step(Var, Term),
}

impl Access {
    /// Whether the object is accessed at another time than the program does: early, late, or by its owner.
    pub(crate) fn moves(&self) -> bool {
        use Access::*;
        match self {
            Value(_) | Prefetched { .. } | Cached(_) | Held { .. } | Staged { .. } | Tried { .. } => true,
            WithNext(_) | Done | Fetched { .. } | Reduction | Accumulated | Counted(_) => true,
            Element { .. } | Own | Again { .. } | Number(_) | AndNext(_) | Step(..) => false,
        }
    }
}
