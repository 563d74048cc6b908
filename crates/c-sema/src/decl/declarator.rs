//! Declarators: from the type of the specifiers to the type of the name.
//!
//! A declarator is read from its far end: the derivation nearest the specifiers is applied first. So when an
//! array's bound is checked, it is known whether its elements are shared.

use crate::checker::Checker;
use crate::constant::{self, Bound};
use crate::context::{Context, SymInfo};
use crate::decl::specs;
use crate::typed::SymKind;
use crate::types::{Block, FnTy, Len, QTy, Quals, Ty};
use crate::upc::layout::{self, Place};
use base::{Code, Diagnostic, Span};
use c_syntax::Language;
use c_syntax::ast::{ArraySize, DeclId, DeclKind, DeclaratorId, Part, QualKind};
use c_syntax::dialect::Words;

/// Whether an array is the block of a spread array, or of the target of a global pointer, by the parts
/// between it and the name: its length may hold PROCS even if it is static.
fn is_block(inside: &[Part]) -> bool {
    match inside.iter().rev().find(|p| !matches!(p, Part::Array { .. })) {
        Some(Part::Spread { .. }) => true,
        Some(Part::Pointer { quals, .. }) => {
            quals.iter().any(|q| matches!(q.kind, QualKind::Global | QualKind::Spread))
        }
        _ => false,
    }
}

impl<'a> Checker<'a> {
    /// The type that a declarator makes of `base`. `written`: the place of the specifiers' layout, if any.
    pub fn declarator(&mut self, id: DeclaratorId, base: QTy, written: Option<Span>, place: Place) -> QTy {
        let unit = self.cx.unit;
        let declarator = &unit.declarators[id];
        let mut ty = base;
        let mut written = written;
        for (i, part) in declarator.parts.iter().enumerate().rev() {
            ty = match part {
                Part::Pointer { quals, span } => {
                    let list = self.quals(quals);
                    if let Some((block, _)) = list.pointer {
                        let quals = Quals { shared: Some(block), ..Quals::default() };
                        ty = self.cx.out.types.qualify(ty, quals);
                    }
                    check_pointee(&mut self.cx, self.names.at_file(), ty, written, *span);
                    written = list.layout;
                    let pointer = self.cx.out.types.pointer_to(ty);
                    specs::with_quals(&mut self.cx, pointer, list, *span)
                }
                Part::Spread { span } => {
                    let spread =
                        declarator.parts[..i].last().is_some_and(|p| matches!(p, Part::Array { .. }));
                    let twice = self.cx.out.types.is_shared(ty);
                    if twice {
                        self.cx.report(
                            Diagnostic::error(
                                Code::SpreadDimension,
                                *span,
                                "a spread array of spread arrays",
                            )
                            .label("the dimensions to the right of `::` are those of one processor's block")
                            .help("write one `::`, between the spread dimensions and those of the block"),
                        );
                    } else if !spread {
                        self.cx.report(
                            Diagnostic::error(
                                Code::SpreadDimension,
                                *span,
                                "a spread array without a spread dimension",
                            )
                            .label("no dimension stands to the left of `::`")
                            .help("write the number of blocks to the left of `::`: `int a[PROCS]::[10]`"),
                        );
                    }
                    let quals = Quals { shared: Some(Block::Spread), ..Quals::default() };
                    self.cx.out.types.qualify(ty, quals)
                }
                Part::Block { span } => {
                    check_pointee(&mut self.cx, self.names.at_file(), ty, written, *span);
                    self.cx.out.types.pointer_to(ty)
                }
                Part::Array { size, span, .. } => {
                    // A parameter's array is a pointer to the elements of its own dimension.
                    let behind = declarator.parts[..i].iter().any(|p| {
                        place == Place::Parameter || !matches!(p, Part::Array { .. } | Part::Spread { .. })
                    });
                    let block = self.cx.everything() && is_block(&declarator.parts[..i]);
                    let inner = match place {
                        Place::Static if block => Place::SpreadBlock,
                        // A parameter's own bound is not used; those inside must be of a shared array.
                        Place::Parameter if i > 0 => Place::Block,
                        // A static pointer of a function may point to an array of variable length.
                        Place::Static if behind && !self.names.at_file() => Place::Block,
                        _ => place,
                    };
                    self.array(ty, *size, *span, inner, behind)
                }
                Part::Function { params, variadic, old_style, span, .. } => {
                    written = None;
                    // The name's own parameters come last, and are those that remain.
                    let keep = (place == Place::Definition).then_some(id);
                    self.function_type(ty, params, *variadic, *old_style, *span, keep)
                }
            };
        }
        ty
    }

    /// `behind`: the array is the target of a pointer, or the result of a function.
    fn array(&mut self, elem: QTy, size: ArraySize, span: Span, place: Place, behind: bool) -> QTy {
        let elem = element_type(&mut self.cx, elem, span);
        let len = match size {
            ArraySize::None => Len::Incomplete,
            ArraySize::Star => Len::Variable,
            ArraySize::Expr(e) => {
                let ty = self.expr(e);
                let ty = self.cx.out.types.decay(ty);
                let at = self.cx.unit.exprs[e].span;
                if !self.cx.out.types.is_integer(ty) && !self.cx.out.types.is_error(ty) {
                    let shown = self.cx.out.types.show_aka(ty);
                    self.cx.error(
                        Code::BadType,
                        at,
                        format!("an array bound of type {shown}"),
                        "not an integer",
                    );
                    return QTy::plain(self.cx.out.types.intern(Ty::Array(elem, Len::Variable)));
                }
                let bound = constant::bound(&self.cx, e);
                check_bound(&mut self.cx, self.names.at_file(), &bound, e, elem, place, behind)
            }
        };
        if self.cx.out.types.is_shared(elem) {
            layout::check_threads_once(&mut self.cx, elem, len, span);
        }
        QTy::plain(self.cx.out.types.intern(Ty::Array(elem, len)))
    }

    fn function_type(
        &mut self,
        ret: QTy,
        params: &'a [DeclId],
        variadic: bool,
        old_style: bool,
        span: Span,
        keep: Option<DeclaratorId>,
    ) -> QTy {
        let ret = check_result(&mut self.cx, ret, span);
        self.names.open();
        let mut types = Vec::with_capacity(params.len());
        for &param in params {
            types.push(self.parameter(param));
        }
        let bindings = self.names.close();
        if let Some(id) = keep {
            self.kept.insert(id, bindings);
        }
        let f = FnTy { ret, params: types, variadic, old_style };
        QTy::plain(self.cx.out.types.intern(Ty::Function(Box::new(f))))
    }

    /// The adjusted type of a parameter, whose symbol is bound in the scope of the parameter list.
    pub fn parameter(&mut self, decl: DeclId) -> QTy {
        let unit = self.cx.unit;
        let DeclKind::Vars { specs, items } = &unit.decls[decl].kind else { return self.cx.unknown() };
        let said = self.specs(*specs, false);
        let mut adjusted = said.ty;
        for item in items {
            let ty = self.declarator(item.declarator, said.ty, said.layout, Place::Parameter);
            let ty = self.with_type_attrs(ty, &item.attrs);
            adjusted = self.declare_parameter(item.declarator, ty, unit.decls[decl].span);
        }
        adjusted
    }

    /// Notes the type of a parameter and binds its name.
    pub fn declare_parameter(&mut self, id: DeclaratorId, ty: QTy, span: Span) -> QTy {
        let unit = self.cx.unit;
        let name = &unit.declarators[id].name;
        let at = name.as_ref().map_or(span, |n| n.span);
        let ty = check_parameter_type(&mut self.cx, ty, at);
        self.cx.out.declarator_ty.insert(id, ty);
        let adjusted = self.adjust(ty, id);
        if let Some(name) = name {
            self.names.refuse_second(
                &mut self.cx,
                name,
                format!("two parameters named `{}`", name.text),
                "the second",
            );
            let sym = self.names.symbol(
                &mut self.cx,
                &name.text,
                SymKind::Param,
                adjusted,
                name.span,
                SymInfo::default(),
            );
            self.cx.out.symbols[sym.0 as usize].file_scope = false;
            self.names.bind(&name.text, sym);
            self.cx.out.declared.insert(id, sym);
        }
        adjusted
    }

    /// Turns arrays and functions into pointers (C17 6.7.6.3). The qualifiers inside the brackets are the
    /// pointer's.
    fn adjust(&mut self, ty: QTy, id: DeclaratorId) -> QTy {
        if !self.cx.out.types.is_array(ty) && self.cx.out.types.as_function(ty).is_none() {
            return ty;
        }
        let unit = self.cx.unit;
        let mut decayed = self.cx.out.types.decay(ty);
        if let Some(Part::Array { quals, .. }) = unit.declarators[id].parts.first() {
            let list = self.quals(quals);
            if let Some(at) = list.shared {
                let shared = self.cx.words().shared;
                let message = format!("a parameter cannot be {shared}");
                self.cx.report(
                    Diagnostic::error(Code::SharedParameter, at, message)
                        .label(format!("`{shared}` qualifies the parameter itself here"))
                        .help(format!("write `{shared}` before the type of the elements")),
                );
            }
            decayed.quals = Quals { shared: None, ..list.quals };
        }
        decayed
    }
}

/// Checks the target of a pointer-to-shared: no `[*]`, and no layout on void (UPC 6.5.1.1).
fn check_pointee(cx: &mut Context, at_file: bool, to: QTy, written: Option<Span>, star: Span) {
    let block = cx.out.types.block(to);
    let private = block.is_none() && at_file && !cx.everything();
    if private && cx.out.types.elements(to).is_some_and(|(_, threads)| threads) {
        specs::private_rows(cx, star);
    }
    if block == Some(Block::Star) {
        cx.report(
            Diagnostic::error(
                Code::LayoutStar,
                written.unwrap_or(star),
                "`[*]` in the type that a pointer points to",
            )
            .label("only an array that is being declared can be distributed by `[*]`")
            .help("write the block size as a number, or `[]` for an indefinite one"),
        );
    }
    let explicit = written.filter(|_| block.is_some());
    if cx.env.language == Language::Upc
        && cx.out.types.is_void(to)
        && (explicit.is_some() || block.is_some_and(|b| b != Block::Size(1)))
    {
        cx.report(
            Diagnostic::error(Code::LayoutVoid, explicit.unwrap_or(star), "a layout on `shared void`")
                .label("the generic pointer-to-shared has no block size")
                .help("write `shared void *`"),
        );
    }
}

fn element_type(cx: &mut Context, elem: QTy, span: Span) -> QTy {
    let types = &cx.out.types;
    let what = match types.of(elem) {
        Ty::Function(_) => "functions",
        Ty::Void => "`void`",
        Ty::Array(_, Len::Incomplete) => "arrays without a length",
        Ty::Record(..) | Ty::Enum(_) if !types.is_complete(elem) => "an incomplete type",
        _ => return elem,
    };
    let label = format!("its elements would be {}", types.show_aka(elem));
    layout::refuse_incomplete(cx, elem, span, format!("an array of {what}"), label);
    cx.unknown()
}

fn check_bound(
    cx: &mut Context,
    at_file: bool,
    bound: &Bound,
    e: c_syntax::ast::ExprId,
    elem: QTy,
    place: Place,
    behind: bool,
) -> Len {
    let at = cx.unit.exprs[e].span;
    if cx.out.types.is_shared(elem) {
        let local = matches!(place, Place::Block | Place::Definition | Place::TypeName);
        // A typedef of a block may be of variable length (C17 6.7.8 p2); an object of it may not.
        let typedef = place == Place::Typedef && !at_file;
        let varies = match bound {
            Bound::Const(_) => false,
            Bound::Variable => cx.everything() || behind || typedef,
            _ => cx.everything(),
        };
        if (local || typedef) && varies {
            return Len::Runtime(e);
        }
        let len = layout::shared_bound(cx, bound, elem, at, place);
        return layout::sized_at_start(cx, bound, e, elem, len, place);
    }
    match bound {
        Bound::Const(n) if *n < 0 => {
            cx.error(Code::BadType, at, "an array of negative length", format!("the length is {n}"));
            Len::Const(0)
        }
        Bound::Const(_) => bound.len(),
        Bound::Wrong => Len::Variable,
        _ if cx.out.types.is_error(cx.out.types.element(elem)) => Len::Variable,
        // A private array of THREADS elements is a variable length array; a typedef may become shared.
        Bound::Threads(..) if place == Place::Typedef && !cx.everything() => bound.len(),
        Bound::Threads(..) | Bound::Misplaced(_) if place == Place::SpreadBlock => Len::Runtime(e),
        _ => {
            let fixed = match place {
                Place::Static | Place::SpreadBlock => true,
                Place::Member | Place::Typedef | Place::Definition => at_file,
                _ => false,
            };
            if let (Some(culprit), true) = (constant::varies(cx, e), fixed) {
                let message = "the length of this array is not constant";
                let d = Diagnostic::error(Code::NotConstant, cx.span(culprit), message)
                    .label("known only at run time");
                cx.report(match bound {
                    Bound::Threads(..) | Bound::Misplaced(_) if cx.everything() => {
                        d.help("fix the number of processors when compiling (-fprocs-N)")
                    }
                    Bound::Threads(..) => d.help(
                        "declare the array in the function, or fix the number of threads when compiling (-T N)",
                    ),
                    _ => constant::on_threads(cx, d, culprit),
                });
            }
            match place {
                Place::Block | Place::Definition | Place::TypeName | Place::Typedef if cx.everything() => {
                    Len::Runtime(e)
                }
                _ => Len::Variable,
            }
        }
    }
}

fn check_result(cx: &mut Context, ret: QTy, span: Span) -> QTy {
    let types = &cx.out.types;
    let what = match types.of(ret) {
        Ty::Array(..) => "an array",
        Ty::Function(_) => "a function",
        _ if types.is_shared(ret) => {
            let shown = types.show_aka(ret);
            let Words { shared, qualified, pointer, .. } = *cx.words();
            cx.report(
                Diagnostic::error(
                    Code::SharedReturn,
                    span,
                    format!("a function cannot return a {shared} object: {shown}"),
                )
                .label(format!("the result of this function is {qualified}"))
                .help(format!("return the value without `{shared}`, or a {pointer}")),
            );
            return cx.out.types.unqualified(ret);
        }
        _ => return ret,
    };
    cx.error(Code::BadType, span, format!("a function cannot return {what}"), "return a pointer to it");
    cx.unknown()
}

fn check_parameter_type(cx: &mut Context, ty: QTy, at: Span) -> QTy {
    if cx.out.types.block(ty) == Some(Block::Star) {
        cx.report(
            Diagnostic::error(Code::LayoutStar, at, "`[*]` in a parameter")
                .label("a parameter is a pointer, whose block size must be a number")
                .help("write the block size as a number, or `[]` for an indefinite one"),
        );
        return layout::replace_star(&mut cx.out.types, ty, Block::Size(1));
    }
    if cx.out.types.is_shared(ty) && !cx.out.types.is_array(ty) {
        let shown = cx.out.types.show_aka(ty);
        let Words { shared, pointer, .. } = *cx.words();
        cx.report(
            Diagnostic::error(
                Code::SharedParameter,
                at,
                format!("a parameter cannot be {shared}: its type is {shown}"),
            )
            .label("parameters are private objects of the thread that is called")
            .help(format!("pass the value without `{shared}`, or a {pointer}")),
        );
        return cx.out.types.unqualified(ty);
    }
    ty
}
