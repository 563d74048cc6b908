//! Tokens: the lexer's output and the parser's input.
//!
//! Keywords and punctuators are each one value of [`Kind`]; the table below is the only place that spells
//! them. A spelling with underscores around it (`__const__`) is the same kind as the bare one.

use crate::dialect::{Group, Language};
use base::Span;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub kind: Kind,
    /// The place in the text.
    pub span: Span,
}

macro_rules! tokens {
    (punctuators { $($punct:ident $ptext:literal)* } keywords { $($group:ident $kw:ident: $($ktext:literal)*;)* }) => {
        /// Kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Kind {
            Ident,
            Number,
            Char,
            Str,
            Eof,
            $($punct,)*
            $($kw,)*
        }

        impl Kind {
            /// A spelling; for identifiers and literals, their name in messages.
            pub fn text(self) -> &'static str {
                match self {
                    Kind::Ident => "identifier",
                    Kind::Number => "number",
                    Kind::Char => "character constant",
                    Kind::Str => "string literal",
                    Kind::Eof => "end of file",
                    $(Kind::$punct => $ptext,)*
                    $(Kind::$kw => [$($ktext),*][0],)*
                }
            }

            /// Whether this kind is a keyword.
            pub fn is_keyword(self) -> bool {
                matches!(self, $(Kind::$kw)|*)
            }
        }

        pub(crate) static KEYWORDS: LazyLock<FxHashMap<&'static str, (Kind, Group)>> = LazyLock::new(|| {
            FxHashMap::from_iter([$($(($ktext, (Kind::$kw, Group::$group)),)*)*])
        });
    };
}

/// The keywords that a language adds to C's.
pub fn words_of(language: Language) -> impl Iterator<Item = &'static str> {
    let groups = language.row().keywords;
    KEYWORDS.iter().filter(move |(_, (_, group))| groups.contains(group)).map(|(&word, _)| word)
}

tokens! {
    punctuators {
        LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
        Dot "." Arrow "->" Inc "++" Dec "--" Amp "&" Star "*" Plus "+" Minus "-" Tilde "~" Bang "!"
        Slash "/" Percent "%" Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" Ne "!="
        Caret "^" Pipe "|" AndAnd "&&" OrOr "||" Question "?" Colon ":" Semi ";" Ellipsis "..."
        Eq "=" StarEq "*=" SlashEq "/=" PercentEq "%=" PlusEq "+=" MinusEq "-=" ShlEq "<<=" ShrEq ">>="
        AmpEq "&=" CaretEq "^=" PipeEq "|=" Comma ","
    }
    keywords {
        C Auto: "auto";
        C Break: "break";
        C Case: "case";
        C CharKw: "char";
        C Const: "const" "__const" "__const__";
        C Continue: "continue";
        C Default: "default";
        C Do: "do";
        C Double: "double";
        C Else: "else";
        C Enum: "enum";
        C Extern: "extern";
        C Float: "float";
        C For: "for";
        C Goto: "goto";
        C If: "if";
        C Inline: "inline" "__inline" "__inline__";
        C Int: "int";
        C Long: "long";
        C Register: "register";
        C Restrict: "restrict" "__restrict" "__restrict__";
        C Return: "return";
        C Short: "short";
        C Signed: "signed" "__signed" "__signed__";
        C Sizeof: "sizeof";
        C Static: "static";
        C Struct: "struct";
        C Switch: "switch";
        C Typedef: "typedef";
        C Union: "union";
        C Unsigned: "unsigned" "__unsigned__";
        C Void: "void";
        C Volatile: "volatile" "__volatile" "__volatile__";
        C While: "while";
        C Alignas: "_Alignas";
        C Alignof: "_Alignof" "__alignof" "__alignof__";
        C Atomic: "_Atomic";
        C Bool: "_Bool";
        C Complex: "_Complex" "__complex" "__complex__";
        C Generic: "_Generic";
        C Imaginary: "_Imaginary";
        C Noreturn: "_Noreturn";
        C StaticAssert: "_Static_assert";
        C ThreadLocal: "_Thread_local" "__thread";
        C Attribute: "__attribute__" "__attribute";
        C Declspec: "__declspec";
        C Extension: "__extension__";
        C Asm: "__asm__" "__asm";
        Gnu AsmBare: "asm";
        C Typeof: "__typeof__" "__typeof" "__typeof_unqual__" "__typeof_unqual" "typeof_unqual";
        Gnu TypeofBare: "typeof";
        C AutoType: "__auto_type";
        C LabelKw: "__label__";
        C Real: "__real__" "__real";
        C Imag: "__imag__" "__imag";
        C Int128: "__int128" "__int128__";
        C Float16: "_Float16" "__fp16";
        C BFloat16: "__bf16";
        C Float32: "_Float32";
        C Float64: "_Float64";
        C Float128: "_Float128" "__float128";
        C Float80: "__float80";
        C Float32x: "_Float32x";
        C Float64x: "_Float64x";
        C Decimal32: "_Decimal32";
        C Decimal64: "_Decimal64";
        C Decimal128: "_Decimal128";
        C VaList: "__builtin_va_list";
        C FuncName: "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__";
        C BuiltinVaArg: "__builtin_va_arg";
        C BuiltinOffsetof: "__builtin_offsetof";
        C BuiltinTypesCompatible: "__builtin_types_compatible_p";
        C BuiltinChooseExpr: "__builtin_choose_expr";
        C BuiltinConvertVector: "__builtin_convertvector";
        C BuiltinBitCast: "__builtin_bit_cast";
        C BuiltinHasAttribute: "__builtin_has_attribute";
        Upc Shared: "shared";
        Upc Strict: "strict";
        Upc Relaxed: "relaxed";
        Upc Threads: "THREADS";
        Upc MyThread: "MYTHREAD";
        Upc UpcForall: "upc_forall";
        Upc UpcBarrier: "upc_barrier";
        Upc UpcNotify: "upc_notify";
        Upc UpcWait: "upc_wait";
        Upc UpcFence: "upc_fence";
        Upc UpcLocalsizeof: "upc_localsizeof";
        Upc UpcBlocksizeof: "upc_blocksizeof";
        Upc UpcElemsizeof: "upc_elemsizeof";
        SplitC Global: "global";
        SplitC Spread: "spread";
        Ac Dist: "dist";
        Procs Procs: "PROCS";
        Procs MyProc: "MYPROC";
    }
}
