//! Trees that are broken on purpose: the verifier finds each fault, and a pass that breaks a loop leaves that
//! loop alone.

mod ahead;

use super::{Fault, verify};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Counting, Hosts, Loop, Node, Slot, Step, Term, Tree, Var, VarType, Waiting};
use crate::ir::walk::each_loop;
use crate::passes::{self, Pass};
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

const PROGRAM: &str = "\
#pragma upc relaxed
shared [] int a[8], b[8];
int v, w;
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int v = b[i];
        { int w = v; s += a[w]; }
        s += v;
    }
    return s + v;
}
int g(int n) {
    int s = 0;
    for (int j = 0; j < n; j++) s += a[j];
    for (int k = 0; k < n; k++) s += b[k];
    return s;
}
";

fn tree() -> Tree {
    parsed(PROGRAM)
}

fn parsed(program: &str) -> Tree {
    let source = base::Source::new(format!("# 1 \"t\"\n{program}"));
    let dialect = c_syntax::Dialect { language: c_syntax::Language::Upc, gnu: true };
    let (unit, diagnostics) = c_syntax::parse(&source, dialect);
    assert!(!base::has_errors(&diagnostics));
    let (typed, diagnostics) = c_sema::check(&unit, &source, c_sema::Env::default());
    assert!(!base::has_errors(&diagnostics));
    Tree::new(unit, typed, &source)
}

/// The variable of the name that is declared last in the text.
fn sym(tree: &Tree, name: &str) -> SymId {
    let found = tree.typed.symbols.iter().rposition(|symbol| &*symbol.name == name);
    SymId(found.expect("a symbol") as u32)
}

/// The variable of the name at file scope.
fn outer(tree: &Tree, name: &str) -> SymId {
    let found = tree.typed.symbols.iter().position(|symbol| &*symbol.name == name && symbol.file_scope);
    SymId(found.expect("a symbol") as u32)
}

/// The loop that declares this variable.
fn the_loop(tree: &Tree, name: &str) -> StmtId {
    let declares = |s: &StmtId| {
        let first = tree.shape(*s).and_then(|shape| shape.first);
        first.is_some_and(|first| &*tree.typed.sym(first.var).name == name)
    };
    tree.unit.stmts.ids().find(declares).expect("a loop")
}

/// The first expression of the program of this kind.
fn expr(tree: &Tree, is: impl Fn(&ExprKind) -> bool) -> ExprId {
    tree.unit.exprs.ids().find(|&e| is(&tree.unit.exprs[e].kind)).expect("an expression")
}

/// Returns `b[i]`, which stands in the loop of `f`.
fn element(tree: &Tree) -> ExprId {
    expr(tree, |kind| matches!(kind, ExprKind::Index(..)))
}

/// Puts nodes before the loop of `f`. Returns the resulting fault, and the name that the fault is about.
fn in_front(nodes: impl FnOnce(&mut Tree) -> Vec<Node>) -> Option<(Fault, String)> {
    let mut tree = tree();
    let s = the_loop(&tree, "i");
    let mut list = nodes(&mut tree);
    let inner = tree.shallow(s);
    list.push(Node::Stmt(inner));
    tree.replace(s, list);
    only(&tree)
}

/// Replaces the body of the loop of `f` by these nodes. Returns the fault.
fn in_body(nodes: impl FnOnce(&mut Tree, StmtId) -> Vec<Node>) -> Option<(Fault, String)> {
    let mut tree = tree();
    let StmtKind::For { body, .. } = tree.unit.stmts[the_loop(&tree, "i")].kind else { panic!("a loop") };
    let inner = tree.again(body);
    let nodes = nodes(&mut tree, inner);
    tree.replace(body, nodes);
    only(&tree)
}

/// The fault of the function `f`, the only one.
fn only(tree: &Tree) -> Option<(Fault, String)> {
    let mut found = verify(tree);
    assert!(found.len() < 2);
    found.pop().map(|broken| (broken.fault, broken.name))
}

fn broken(fault: Fault, name: &str) -> Option<(Fault, String)> {
    Some((fault, name.to_owned()))
}

fn zero() -> Term {
    Term::Num(0)
}

/// The fault of a loop over elements with these qualifiers, each read in the place of another.
fn moved(qualifiers: &str) -> Option<Fault> {
    let mut tree = parsed(&format!(
        "#pragma upc relaxed\n{qualifiers} shared [] int a[8];\n\
         int f(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }}\n"
    ));
    let (s, read) = (the_loop(&tree, "i"), element(&tree));
    let var = tree.var("read");
    tree.mark(read, Access::Value(var));
    let inner = tree.shallow(s);
    let (ty, value) = (VarType::Value(tree.typed.ty(read)), Some(zero()));
    tree.replace(s, vec![Node::Declare { var, ty, value }, Node::Stmt(inner)]);
    only(&tree).map(|(fault, _)| fault)
}

#[test]
fn what_is_strict_or_volatile_is_not_moved() {
    assert_eq!(moved("relaxed"), None);
    assert_eq!(moved("strict"), Some(Fault::Moved));
    assert_eq!(moved("volatile"), Some(Fault::Moved));
}

#[test]
fn a_program_that_nothing_has_been_done_to_is_whole() {
    assert_eq!(only(&tree()), None);
    assert_eq!(in_front(|_| Vec::new()), None);
    assert_eq!(in_body(|_, inner| vec![Node::Stmt(inner)]), None);
}

#[test]
fn a_name_that_has_another_meaning_is_found() {
    let meaning = |name| broken(Fault::Meaning, name);
    // An expression that names the variable of the loop, before the loop.
    assert_eq!(in_front(|tree| vec![Node::Do(Term::Value(tree.copy_expr(element(tree))))]), meaning("i"));
    assert_eq!(in_front(|tree| vec![Node::Do(Term::Sym(sym(tree, "i")))]), meaning("i"));
    // Before the loop the name means the object of the file.
    assert_eq!(in_front(|tree| vec![Node::Do(Term::Sym(sym(tree, "v")))]), meaning("v"));
    assert_eq!(in_front(|tree| vec![Node::Do(Term::Sym(outer(tree, "v")))]), None);
    assert_eq!(in_front(|tree| vec![Node::Assign(Slot::Sym(sym(tree, "w")), zero())]), meaning("w"));
    // A definition hides the object of the file; another list ends that.
    let hides = |tree: &mut Tree, around: bool| {
        let hidden = Node::Do(Term::Sym(outer(tree, "v")));
        let define = Node::Define(sym(tree, "v"), zero());
        match around {
            true => vec![Node::If { test: zero(), then: vec![define], otherwise: Vec::new() }, hidden],
            false => vec![define, hidden],
        }
    };
    assert_eq!(in_front(|tree| hides(tree, false)), meaning("v"));
    assert_eq!(in_front(|tree| hides(tree, true)), None);
    // Another variable of the name, in a trial, hides it too.
    assert_eq!(in_front(|tree| vec![Node::Shadow(sym(tree, "v"))]), meaning("v"));
    let steps = |tree: &mut Tree| {
        let e = expr(tree, |kind| matches!(kind, ExprKind::Post(..)));
        let step = vec![Step::Effect(tree.copy_expr(e))];
        vec![Node::Loop(Loop { go: zero(), step, body: Vec::new(), counts: None })]
    };
    assert_eq!(in_front(steps), meaning("i"));
    // The mark of an expression is rendered, not the original.
    let marked = |tree: &mut Tree, name: &str| {
        let e = element(tree);
        let access = Access::Number(Term::Sym(sym(tree, name)));
        tree.mark(e, access);
        Vec::new()
    };
    assert_eq!(in_front(|tree| marked(tree, "w")), meaning("w"));
    assert_eq!(in_front(|tree| marked(tree, "i")), None);
    let otherwise = |tree: &mut Tree| {
        let (e, vars) = (element(tree), [(); 3].map(|()| tree.var("x")));
        let otherwise = tree.copy_expr(e);
        tree.mark(otherwise, Access::Number(Term::Sym(sym(tree, "j"))));
        let [buffer, at, fetched] = vars;
        tree.mark(e, Access::Held { buffer, at, fetched, otherwise });
        vars.map(|var| Node::Declare { var, ty: VarType::Int, value: None }).to_vec()
    };
    assert_eq!(in_front(otherwise), meaning("j"));
}

#[test]
fn a_made_variable_without_a_declaration_is_found() {
    let undeclared = || broken(Fault::Undeclared, "x.1");
    let int = |var| Node::Declare { var, ty: VarType::Int, value: None };
    let uses: [fn(Var) -> Node; 6] = [
        |var| Node::Do(var.into()),
        |var| Node::Assign(Slot::Made(var), zero()),
        |var| Node::Wait(Waiting::Var(var)),
        |var| Node::Do(Term::Ref(var)),
        |var| Node::Loop(Loop { go: zero(), step: vec![Step::Next(var)], body: Vec::new(), counts: None }),
        |var| {
            let like = Var { number: 0, what: "y" };
            Node::Declare { var: like, ty: VarType::Like(Slot::Made(var)), value: None }
        },
    ];
    for use_of in uses {
        assert_eq!(in_front(|tree| vec![use_of(tree.var("x"))]), undeclared());
        assert_eq!(
            in_front(|tree| {
                let var = tree.var("x");
                vec![int(var), use_of(var)]
            }),
            None
        );
    }
    // After its use, and in another list.
    assert_eq!(
        in_front(|tree| {
            let var = tree.var("x");
            vec![Node::Do(var.into()), int(var)]
        }),
        undeclared()
    );
    assert_eq!(
        in_front(|tree| {
            let var = tree.var("x");
            vec![Node::If { test: zero(), then: vec![int(var)], otherwise: Vec::new() }, Node::Do(var.into())]
        }),
        undeclared()
    );
    // A node about hosts opens no list.
    assert_eq!(
        in_front(|tree| {
            let var = tree.var("x");
            vec![Node::Known(Hosts::One, vec![int(var)]), Node::Do(var.into())]
        }),
        None
    );
    // In a mark.
    assert_eq!(
        in_front(|tree| {
            let (var, e) = (tree.var("x"), element(tree));
            tree.mark(e, Access::Value(var));
            Vec::new()
        }),
        undeclared()
    );
}

#[test]
fn what_is_declared_twice_is_found() {
    let twice = |name| broken(Fault::Twice, name);
    let defined = |tree: &Tree, name| Node::Define(sym(tree, name), zero());
    assert_eq!(in_front(|tree| vec![defined(tree, "v"), defined(tree, "v")]), twice("v"));
    let two = |tree: &Tree| vec![Node::Define(outer(tree, "w"), zero()), defined(tree, "w")];
    assert_eq!(in_front(|tree| two(tree)), twice("w"));
    let first = |tree: &mut Tree| {
        let s = the_loop(tree, "i");
        vec![Node::First(tree.copy(s).stmt), defined(tree, "i")]
    };
    assert_eq!(in_front(first), twice("i"));
    let declared = |tree: &mut Tree, inner: bool| {
        let var = tree.var("x");
        let declare = Node::Declare { var, ty: VarType::Int, value: None };
        let again = Node::If { test: zero(), then: vec![declare.clone()], otherwise: Vec::new() };
        vec![declare.clone(), if inner { again } else { declare }]
    };
    assert_eq!(in_front(|tree| declared(tree, false)), twice("x.1"));
    assert_eq!(in_front(|tree| declared(tree, true)), twice("x.1"));
    // Before a block that has its own.
    assert_eq!(in_body(|tree, inner| vec![defined(tree, "v"), Node::Stmt(inner)]), None);
}

#[test]
fn a_definition_by_itself_is_found() {
    let itself = |tree: &Tree| vec![Node::Define(sym(tree, "v"), Term::Sym(sym(tree, "v")))];
    assert_eq!(in_front(|tree| itself(tree)), broken(Fault::Itself, "v"));
    // The name already means the defined variable.
    let other = |tree: &Tree| vec![Node::Define(sym(tree, "v"), Term::Sym(outer(tree, "v")))];
    assert_eq!(in_front(|tree| other(tree)), broken(Fault::Meaning, "v"));
}

#[test]
fn what_is_rendered_twice_is_found() {
    let fault = in_front(|tree| vec![Node::Stmt(tree.shallow(the_loop(tree, "i")))]);
    assert_eq!(fault.map(|fault| fault.0), Some(Fault::Again));
    let fault = in_body(|_, inner| vec![Node::Stmt(inner), Node::Stmt(inner)]);
    assert_eq!(fault.map(|fault| fault.0), Some(Fault::Again));
    let fault = in_body(|tree, inner| vec![Node::Do(Term::Value(element(tree))), Node::Stmt(inner)]);
    assert_eq!(fault.map(|fault| fault.0), Some(Fault::Again));
    let copied = in_body(|tree, inner| {
        let e = tree.copy_expr(element(tree));
        vec![Node::Do(Term::Value(e)), Node::Stmt(inner)]
    });
    assert_eq!(copied, None);
}

#[test]
fn a_variable_that_is_used_as_another_is_found() {
    let declare = |var, ty: &VarType| Node::Declare { var, ty: ty.clone(), value: None };
    type Uses<'a> = (&'a [VarType], fn(Var) -> Node);
    let uses: [Uses; 5] = [
        (&[VarType::Places, VarType::Notes, VarType::Counts], |var| Node::Do(var.into())),
        (&[VarType::Unsigned, VarType::Counts], |var| Node::Wait(Waiting::Var(var))),
        (&[VarType::Index, VarType::Places], |var| Node::Do(Term::Ref(var))),
        (&[VarType::Notes, VarType::Rounds], |var| Node::Assign(Slot::Made(var), zero())),
        (&[VarType::Int, VarType::Extent], |var| Node::Do(Term::Element(var, var))),
    ];
    for (types, use_of) in uses {
        for ty in types {
            let found = in_front(|tree| {
                let var = tree.var("x");
                vec![declare(var, ty), use_of(var)]
            });
            assert_eq!(found, broken(Fault::Kind, "x.1"), "{ty:?}");
        }
    }
    // The description of a section becomes the description of another, and nothing else.
    let described = |ty: VarType| {
        in_front(|tree| {
            let [to, from] = ["to", "from"].map(|what| tree.var(what));
            let assign = Node::Assign(Slot::Made(to), from.into());
            vec![declare(to, &VarType::Section), declare(from, &ty), assign]
        })
    };
    assert_eq!(described(VarType::Section), None);
    assert_eq!(described(VarType::Index), broken(Fault::Kind, "from.2"));
}

#[test]
fn a_counter_that_is_changed_in_its_loop_is_found() {
    let counted = |inside: &dyn Fn(Var) -> Vec<Node>| {
        in_front(|tree| {
            let (counter, var) = (tree.var("n"), sym(tree, "i"));
            let counts = Some(Counting { counter, var, turns: false });
            let step = vec![Step::Next(counter)];
            let l = Loop { go: zero(), step, body: inside(counter), counts };
            vec![Node::Declare { var: counter, ty: VarType::Index, value: None }, Node::Loop(l)]
        })
    };
    assert_eq!(counted(&|n| vec![Node::Do(n.into())]), None);
    assert_eq!(counted(&|n| vec![Node::Assign(Slot::Made(n), zero())]), broken(Fault::Counter, "n.1"));
    // Changed by a loop inside it.
    let inner =
        |n| Node::Loop(Loop { go: zero(), step: vec![Step::Next(n)], body: Vec::new(), counts: None });
    assert_eq!(counted(&|n| vec![inner(n)]), broken(Fault::Counter, "n.1"));
}

// ---- passes that break loops ---------------------------------------------------------------------

/// Marks the elements that each loop reads as values in variables. The variables for elements of `b` are
/// declared nowhere.
fn breaks_some(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        let mut reads = Vec::new();
        each_expr(&tree.unit, Any::Stmt(s), |e| {
            reads.extend(matches!(tree.unit.exprs[e].kind, ExprKind::Index(..)).then_some(e));
            true
        });
        let (mut nodes, inner) = (Vec::new(), tree.shallow(s));
        for e in reads {
            let var = tree.var("once");
            tree.mark(e, Access::Value(var));
            tree.refuse(e, Reason::SameObject);
            let found = tree.subscript(e).expect("an element");
            if &*tree.typed.sym(found.root.sym).name == "a" {
                let ty = VarType::Value(tree.typed.ty(e));
                nodes.push(Node::Declare { var, ty, value: None });
            }
        }
        nodes.push(Node::Stmt(inner));
        tree.remark(PassId("breaks"), s, Ok("by values".into()));
        tree.settle(s);
        tree.replace(s, nodes);
        false
    });
}

#[test]
fn a_loop_that_a_pass_breaks_stays_and_others_are_rewritten() {
    let mut tree = tree();
    let [i, j, k] = ["i", "j", "k"].map(|name| the_loop(&tree, name));
    let faults = passes::apply(&mut tree, &Pass { id: PassId("breaks"), run: breaks_some, plans: false });
    assert_eq!(faults.iter().map(|broken| broken.fault).collect::<Vec<_>>(), [Fault::Undeclared; 2]);
    let at = |s: StmtId| tree.unit.stmts[s].span.lo;
    assert_eq!(faults.iter().map(|broken| broken.begins).collect::<Vec<_>>(), [at(i), at(k)]);
    assert!(tree.nodes(j).is_some() && !tree.is_free(j));
    for s in [i, k] {
        assert!(tree.nodes(s).is_none() && tree.is_free(s));
    }
    assert_eq!((tree.accesses.len(), tree.refused.len()), (1, 1));
    let said: Vec<_> = tree.remarks.iter().map(|remark| (remark.at, remark.outcome.clone())).collect();
    assert_eq!(
        said,
        [(at(j), Ok("by values".into())), (at(i), Err(Reason::WouldBreak)), (at(k), Err(Reason::WouldBreak))]
    );
    assert!(verify(&tree).is_empty());
}

/// Replaces each outermost loop by itself, and marks nothing.
fn settles(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        let inner = tree.shallow(s);
        tree.replace(s, vec![Node::Stmt(inner)]);
        tree.remark(PassId("settles"), s, Ok("as it was".into()));
        false
    });
}

#[test]
fn passes_that_are_verified_at_once_come_to_the_same() {
    let all = [
        Pass { id: PassId("settles"), run: settles, plans: false },
        Pass { id: PassId("breaks"), run: breaks_some, plans: false },
    ];
    let outcome = |passes: &[Pass], each| {
        let mut tree = tree();
        let faults = passes::run(&mut tree, passes, each);
        let faults: Vec<_> =
            faults.into_iter().map(|(pass, broken)| (pass, broken.name, broken.loops)).collect();
        let said: Vec<_> = tree.remarks.iter().map(|r| (r.pass, r.at, r.outcome.clone())).collect();
        assert!(verify(&tree).is_empty());
        (faults, said, tree.nodes.len(), tree.accesses.len(), tree.settled.len())
    };
    // Made variables have other numbers, since the first attempt has taken some.
    let ((faults, said, ..), (others, again, ..)) = (outcome(&all, true), outcome(&all, false));
    assert_eq!(faults.len(), 2);
    assert_eq!(said, again);
    assert_eq!(
        faults.iter().map(|of| of.0).collect::<Vec<_>>(),
        others.iter().map(|of| of.0).collect::<Vec<_>>()
    );
    assert_eq!(outcome(&all, true).2, outcome(&all, false).2);
    assert_eq!(outcome(&all[..1], true), outcome(&all[..1], false));
}

/// Breaks every function, even those it is told to leave alone.
fn breaks_all(tree: &mut Tree) {
    for body in tree.bodies().collect::<Vec<_>>() {
        let (var, inner) = (tree.var("x"), tree.again(body));
        tree.replace(body, vec![Node::Do(var.into()), Node::Stmt(inner)]);
    }
}

#[test]
fn a_pass_that_goes_on_breaking_functions_is_left_out() {
    let mut tree = tree();
    let faults = passes::apply(&mut tree, &Pass { id: PassId("breaks"), run: breaks_all, plans: false });
    assert!(!faults.is_empty());
    assert!(!tree.is_rewritten() && verify(&tree).is_empty());
    assert!(
        tree.remarks.iter().all(|remark| remark.outcome == Err(Reason::WouldBreak))
            && !tree.remarks.is_empty()
    );
}

/// Makes the loop's step another expression in its place, and names it where it means nothing.
fn reforms(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        let StmtKind::For { step: Some(step), .. } = tree.unit.stmts[s].kind else { return true };
        let ExprKind::Post(_, target) = tree.unit.exprs[step].kind else { return true };
        tree.reform(step, ExprKind::Paren(target));
        let inner = tree.shallow(s);
        let e = tree.copy_expr(step);
        tree.replace(s, vec![Node::Do(Term::Value(e)), Node::Stmt(inner)]);
        true
    });
}

#[test]
fn forms_come_back() {
    let mut tree = tree();
    let StmtKind::For { step: Some(step), .. } = tree.unit.stmts[the_loop(&tree, "i")].kind else { panic!() };
    let faults = passes::apply(&mut tree, &Pass { id: PassId("reforms"), run: reforms, plans: false });
    assert!(!faults.is_empty());
    assert!(matches!(tree.unit.exprs[step].kind, ExprKind::Post(..)));
}

#[test]
fn a_type_of_a_block_is_found_where_it_is_written_out_elsewhere() {
    let program = "\
typedef int T;
struct s { int m; };
int f(void) {
    {
        typedef double T;
        struct s { double m; };
        enum { small = 1 };
        T t = small;
        struct s v = { t };
        return (int)v.m;
    }
}
";
    let mut tree = parsed(program);
    assert_eq!(only(&tree), None);
    let body = tree.bodies().next().expect("a function");
    let StmtKind::Compound(items) = &tree.unit.stmts[body].kind else { panic!("a block") };
    let inner = items[0];
    let mut declared = |name: &str| {
        let symbol = sym(&tree, name);
        let (again, q) = (tree.again(inner), tree.typed.sym(symbol).ty);
        let declare = Node::Declare { var: tree.var("x"), ty: VarType::Value(q), value: None };
        tree.replace(inner, vec![declare, Node::Stmt(again)]);
        let found = only(&tree);
        tree.nodes.remove(&inner);
        found
    };
    assert_eq!(declared("t"), broken(Fault::Meaning, "T"));
    assert_eq!(declared("v"), broken(Fault::Meaning, "s"));
    let e = expr(&tree, |kind| matches!(kind, ExprKind::Ident(name) if &*name.text == "small"));
    let (again, copy) = (tree.again(inner), tree.copy_expr(e));
    tree.replace(inner, vec![Node::Do(Term::Value(copy)), Node::Stmt(again)]);
    assert_eq!(only(&tree), broken(Fault::Meaning, "small"));
}
