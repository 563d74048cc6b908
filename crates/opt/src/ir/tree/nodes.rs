//! What the optimisations make: nodes below the level of the language, the terms that they are made of, and
//! the kinds of accesses.

use super::primitive::Primitive;
use c_sema::typed::SymId;
use c_sema::types::QTy;
use c_syntax::ast::*;

/// A local variable that an optimisation has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var {
    /// Its number; no two of a tree have the same.
    pub number: u32,
    /// What it is for, which its name in C begins with.
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
    /// A buffer of twice as many values as a loop prefetches at a time.
    Buffer(QTy),
    /// A buffer of as many counts.
    Places,
    /// Two counts of reads under way.
    Counts,
    /// The type of another variable.
    Like(Slot),
    /// From where to where objects lie.
    Extent,
    /// What has been written.
    Notes,
    /// Describes a section of a shared array.
    Section,
    /// What of a loop is read in rounds.
    Rounds,
}

/// What counts reads under way.
#[derive(Clone, Copy, Debug)]
pub enum Waiting {
    /// A variable.
    Var(Var),
    /// The one of two counts that a variable names: 0 or 1.
    Of(Var, Var),
}

/// A variable, of the program's or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A made one.
    Made(Var),
    /// One of the program's.
    Sym(SymId),
    /// Element `.1` of a made buffer.
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
    /// Element `.1` of a made buffer.
    Element(Var, Var),
    /// A variable of the program's.
    Sym(SymId),
    /// The value of an expression of the program's.
    Value(ExprId),
    /// Whether an expression of the program's holds.
    Holds(ExprId),
    /// As a number of 64 bits.
    Index(Box<Term>),
    /// Converted to a type.
    As(QTy, Box<Term>),
    /// Bytes of an element of this type.
    Size(QTy),
    /// The native address of a shared array.
    Native(SymId),
    /// A local pointer to the first element of a shared array.
    First(SymId),
    /// Where an object of the program's lies, as a number that is the same for the same memory, be it reached
    /// by a private pointer or a pointer-to-shared.
    Place(ExprId),
    /// The same in the view of this process: no other memory has that number.
    InView(ExprId),
    /// Whether an array of the program's, or what a pointer of it leads to, is remote.
    Remote(ExprId),
    /// The bits of a pointer to the beginning of an array of the program's.
    Address(ExprId),
    /// A pointer to a made variable.
    Ref(Var),
    /// A made variable before it steps by 1 or -1.
    Stepped(Var, i64),
    /// The bits of a pointer-to-shared.
    Bits(Box<Term>),
    /// A function of the runtime.
    Call(Primitive, Vec<Term>),
    /// An operator of C's between two.
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

    /// This and `other`, as a condition.
    pub fn and(self, other: Term) -> Term {
        Term::bin("&&", self, other)
    }

    /// `self + n`, without the sum where n is 0.
    pub fn plus(self, n: i64) -> Term {
        if n == 0 { self } else { Term::bin("+", self, Term::Num(n)) }
    }

    /// A term as a number of 64 bits.
    pub fn index(a: Term) -> Term {
        Term::Index(Box::new(a))
    }

    /// THREADS as such a number.
    pub fn threads() -> Term {
        Term::index(Term::Name(Primitive::Threads))
    }

    /// `function(a)`
    pub fn call(function: Primitive, args: impl IntoIterator<Item = Term>) -> Term {
        Term::Call(function, args.into_iter().collect())
    }

    /// Calls `each` for it, and for every term in it.
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

    /// Calls `each` for every expression of the program's in it.
    pub fn each_expr(&self, each: &mut dyn FnMut(ExprId)) {
        self.each(&mut |term| match *term {
            Term::Value(e) | Term::Holds(e) | Term::Place(e) | Term::InView(e) => each(e),
            Term::Remote(e) | Term::Address(e) => each(e),
            _ => {}
        });
    }

    /// Whether it names a variable of the program's, expressions of the program's aside.
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

/// What is known of the memory of other threads where a node stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hosts {
    /// Nothing: an access asks; a loop may be versioned.
    #[default]
    Unknown,
    /// All of it is on this host.
    One,
    /// Some may be remote.
    Many,
}

/// A node below the level of the language. A list of them replaces a statement, in braces of its own.
#[derive(Clone, Debug)]
pub enum Node {
    /// A statement of the program's, or what it has been rewritten to.
    Stmt(StmtId),
    /// A loop whose first clause has been done.
    Continued(StmtId),
    /// The first clause of a loop, as a statement. Not of a `upc_forall`, whose iterations begin where the
    /// first one of this thread is.
    First(StmtId),
    /// Declares a variable.
    Declare {
        /// It.
        var: Var,
        /// Its type.
        ty: VarType,
        /// Its first value.
        value: Option<Term>,
    },
    /// Declares a variable of the program's, in the scope of the list.
    Define(SymId, Term),
    /// Another variable of the name and type of one of the program's, which is 0.
    Shadow(SymId),
    /// A trial of an iteration: nothing but what is declared in it is assigned. A read that is
    /// [`Access::Tried`] may end it, at `stop`; else `done` is set.
    Trial {
        /// Names its end.
        stop: Var,
        /// What is tried.
        body: Vec<Node>,
        /// Becomes 1.
        done: Slot,
    },
    /// `to = value`
    Assign(Slot, Term),
    /// A loop.
    Loop(Loop),
    /// The loop that comes next does a few iterations for each test whether it goes on.
    Unrolled,
    /// One of two versions.
    If {
        /// Which.
        test: Term,
        /// Where it holds.
        then: Vec<Node>,
        /// Where not.
        otherwise: Vec<Node>,
    },
    /// A part in which something is known of the memory of others.
    Known(Hosts, Vec<Node>),
    /// The rest of the list is inside of one `upc_forall` more; `var` is how many there were.
    ForallScope(Var),
    /// A `upc_forall` that goes through all iterations; `outer` holds how many it is inside of.
    AllIterations {
        /// The loop.
        forall: StmtId,
        /// Declared by a [`Node::ForallScope`].
        outer: Var,
        /// It runs inside of another `upc_forall` only: its accesses are calls, since what is written in line
        /// costs compile time.
        seldom: bool,
    },
    /// Signalling stores of so many bytes in the rest of the list may be counted in `var`.
    StoreCounts(Var, u64),
    /// Starts the read of a shared object into element `at` of `buffer`, if it is remote: `waiting` counts
    /// it, and `met` is set.
    Start {
        /// The object.
        read: ExprId,
        /// Where to.
        buffer: Var,
        /// Which element.
        at: Var,
        /// Reads under way.
        waiting: Waiting,
        /// Something is remote.
        met: Var,
    },
    /// The same, but for what is local its value goes into the buffer at once. `read` may be an atomic
    /// operation by value: it is done at once, or begun.
    Hold {
        /// The object.
        read: ExprId,
        /// Where to.
        buffer: Var,
        /// Which element.
        at: Var,
        /// Reads under way.
        waiting: Waiting,
        /// Something is remote.
        met: Var,
        /// The object need not be there: then this is set, and nothing is read ([`crate::facts::early`]).
        lost: Option<Var>,
    },
    /// Has the cache ask for a shared object, if that is remote and not in it: `waiting` counts the request,
    /// and `met` is set.
    StartCached {
        /// The object.
        read: ExprId,
        /// Requests under way.
        waiting: Waiting,
        /// Something was not in the cache.
        met: Var,
    },
    /// Waits for the reads that are counted.
    Wait(Waiting),
    /// Leaves the loop around it if this holds.
    Leave(Term),
    /// A call for its effect.
    Do(Term),
    /// The object becomes the value if the test holds between the value and what it is: if it is remote, its
    /// owner is sent the value.
    Extremum {
        /// The object.
        object: ExprId,
        /// The value.
        value: ExprId,
        /// When it becomes the value.
        test: Test,
        /// The program assigns it in any case, itself if need be.
        always: bool,
        /// The statement as it was, for an object that is known to be local.
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
    /// Its operator in C.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::Greater => ">",
            Relation::LessEqual => "<=",
            Relation::GreaterEqual => ">=",
        }
    }
}

/// A test of two values, which may be no numbers (NaN).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// Of the left to the right.
    pub relation: Relation,
    /// The test holds where this does not.
    pub negated: bool,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Goes on while this holds.
    pub go: Term,
    /// Between two iterations.
    pub step: Vec<Step>,
    /// An iteration.
    pub body: Vec<Node>,
    /// What it counts, where it is one of a list of iterations of the program's.
    pub counts: Option<Counting>,
}

/// How a loop goes through iterations of the program's.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// What counts them.
    pub counter: Var,
    /// The program's variable that follows it.
    pub var: SymId,
    /// By THREADS where the counter goes up by one, rather than by one.
    pub turns: bool,
}

impl Loop {
    /// The variable up to which the loop counts, if it is one.
    pub(crate) fn end(&self) -> Option<Var> {
        match &self.go {
            Term::Bin("<", _, end) => match **end {
                Term::Var(end) => Some(end),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it counts, the program's body, and the value that the program's variable gets in front of that,
    /// if the loop consists of these alone and counts by one.
    pub(crate) fn counted(&self) -> Option<(Counting, StmtId, Option<&Term>)> {
        let (counts, body, value) = self.iterated()?;
        matches!(self.step[..], [Step::Next(next)] if next == counts.counter).then_some((counts, body, value))
    }

    /// The same, whatever it counts by.
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

    /// Calls `each` for every expression of the program's in its condition and its steps.
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

/// What a loop does between two iterations.
#[derive(Clone, Debug)]
pub enum Step {
    /// `var++`
    Next(Var),
    /// `var += term`
    Add(Var, Term),
    /// An expression of the program's, for its effect.
    Effect(ExprId),
}

/// How an expression of the program's is done.
#[derive(Clone, Debug)]
pub enum Access {
    /// An element of a shared array, by a local pointer.
    Element {
        /// The pointer.
        base: Var,
        /// Which element from there.
        index: Term,
        /// Where these are rows: the subscripts inside of the row.
        inside: Vec<Term>,
    },
    /// An element of a static array, of the row with the thread's number, which the thread has.
    Own,
    /// A shared object whose value a variable holds.
    Value(Var),
    /// A shared object whose value, if `fetched` holds and it is remote (or in any case: `all`), is element
    /// `at` of a buffer; a remote one else is read, and `met` is set.
    Prefetched {
        /// The buffer.
        buffer: Var,
        /// Which element.
        at: Var,
        /// The buffer has been filled.
        fetched: Var,
        /// Something is remote.
        met: Var,
        /// The buffer has the values of objects on this host too ([`Node::Hold`]).
        all: bool,
    },
    /// A shared object whose value, if it is remote, comes from the cache of what a nest of loops reads,
    /// which asks for it if need be; then the variable is set.
    Cached(Option<Var>),
    /// A shared object whose value, if `fetched` holds, is element `at` of a buffer; else it is read as
    /// `otherwise` says, a copy of it.
    Held {
        /// The buffer.
        buffer: Var,
        /// Which element.
        at: Var,
        /// The buffer has been filled.
        fetched: Var,
        /// The read.
        otherwise: ExprId,
    },
    /// An atomic operation by value that, if `fetched` holds, has been done already: its value is element
    /// `at` of a buffer.
    Fetched {
        /// The buffer.
        buffer: Var,
        /// Which element.
        at: Var,
        /// The buffer has been filled.
        fetched: Var,
    },
    /// A scalar on this host that is read as `otherwise` says, though it has been read into element `at` of a
    /// buffer: if it has another value now, `fetched` becomes 0.
    Again {
        /// The buffer.
        buffer: Var,
        /// Which element.
        at: Var,
        /// The buffer has been filled.
        fetched: Var,
        /// The read.
        otherwise: ExprId,
    },
    /// An assignment to a scattered object, together with the one that the next statement is: to an object of
    /// the same thread.
    WithNext(ExprId),
    /// That one: done already.
    Done,
    /// A value that is computed as this.
    Number(Term),
    /// A shared object whose value, if `fetched` holds, is element `at` of a buffer, unless it has been
    /// written since; else it is read, and `met` is set if it is remote.
    Staged {
        /// The buffer.
        buffer: Var,
        /// Which element.
        at: Var,
        /// The buffer has been filled.
        fetched: Var,
        /// Something is remote.
        met: Var,
        /// Notes what has been written, if that may be it.
        notes: Option<Var>,
        /// Then `fetched` holds no longer: others in the buffers are made of it.
        leads: bool,
    },
    /// A shared object that comes, if it is remote, from the cache of what trials have asked for; or, in a
    /// trial, that is asked for, and ends the trial (`stop`) where it is not there.
    Tried {
        /// What of the loop is read in rounds.
        state: Var,
        /// The end of the trial.
        stop: Option<Var>,
    },
    /// An assignment `sum op= value` of a reduction, in an order of its own: modulo the type's size.
    Reduction,
    /// A shared object that a statement updates: if it is remote, its owner is sent the operand.
    Accumulated,
    /// A signalling store that a variable counts, or nobody.
    Counted(Option<Var>),
    /// The step of a loop, which a variable takes too.
    AndNext(Var),
    /// A step of a pointer that is not used: a variable steps by so much instead.
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
