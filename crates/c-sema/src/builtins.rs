//! What gcc and clang provide without a declaration, and which header declares what is missing.
//!
//! Only results are modelled: arguments of builtins are theirs to check. A builtin that is not known here
//! has an unknown result, which fits everywhere.

use crate::checker::{Checker, SymInfo};
use crate::typed::{SymId, SymKind};
use crate::types::{FloatKind, FnTy, IntKind, QTy, Ty};
use base::Span;
use c_syntax::ast::{ExprId, Name};

/// Result of a builtin.
#[derive(Clone, Copy)]
enum Gives {
    Void,
    Int(IntKind),
    Float(FloatKind),
    VoidPointer,
    CharPointer,
}

const PREFIXES: &[&str] =
    &["__builtin_", "__sync_", "__atomic_", "__c11_atomic_", "__scoped_atomic_", "__arm_", "__ia32_"];

impl<'a> Checker<'a> {
    /// The symbol of a builtin by its name, made when it is first used.
    pub fn builtin(&mut self, name: &'a Name) -> Option<SymId> {
        let text = &*name.text;
        let prefix = PREFIXES.iter().find(|p| text.starts_with(*p))?;
        let like = text.strip_prefix("__builtin_").unwrap_or("");
        let declared = self.scopes.find_at_file(like).map(|s| self.out.sym(s).clone());
        let ty = match declared {
            Some(sym) if sym.kind == SymKind::Function => sym.ty,
            _ => match gives(like).filter(|_| *prefix == "__builtin_") {
                Some(result) => self.returning(result),
                None => {
                    let unknown = self.unknown();
                    self.function_returning(unknown)
                }
            },
        };
        let info = SymInfo { linked: true, ..SymInfo::default() };
        let sym = self.symbol(text, SymKind::Builtin, ty, Span::new(name.span.lo, name.span.lo), info);
        self.out.symbols[sym.0 as usize].file_scope = true;
        self.scopes.bind_at_file(&name.text, sym);
        Some(sym)
    }

    /// The type of a function that is called without a declaration: gcc knows the C library's.
    pub fn implicit_type(&mut self, name: &str) -> QTy {
        match gives(name) {
            Some(result) => self.returning(result),
            None => {
                let int = self.int_ty();
                self.function_returning(int)
            }
        }
    }

    fn returning(&mut self, result: Gives) -> QTy {
        let ret = match result {
            Gives::Void => self.plain(self.basic.void),
            Gives::Int(kind) => self.out.types.int(kind),
            Gives::Float(kind) => QTy::plain(self.out.types.intern(Ty::Float(kind))),
            Gives::VoidPointer => {
                let void = self.plain(self.basic.void);
                self.out.types.pointer_to(void)
            }
            Gives::CharPointer => {
                let char = self.plain(self.basic.char);
                self.out.types.pointer_to(char)
            }
        };
        self.function_returning(ret)
    }

    fn function_returning(&mut self, ret: QTy) -> QTy {
        let f = FnTy { ret, params: Vec::new(), variadic: false, old_style: true };
        QTy::plain(self.out.types.intern(Ty::Function(Box::new(f))))
    }

    /// The result of a call by name: some builtins give what their argument points to, some are constants.
    pub fn builtin_result(&mut self, e: ExprId, name: &str, f: &FnTy, args: &[ExprId]) -> QTy {
        let ret = self.out.types.unqualified(f.ret);
        let Some(&first) = args.first() else { return ret };
        match name {
            "__builtin_constant_p" => {
                let known = self.value(first).is_some() || self.floats.contains_key(&first);
                if known {
                    self.set_value(e, ret, 1);
                }
                return ret;
            }
            "__builtin_expect" | "__builtin_expect_with_probability" => {
                if let Some(v) = self.value(first) {
                    self.set_value(e, ret, v);
                }
                return ret;
            }
            "__sync_bool_compare_and_swap" | "__atomic_test_and_set" => {
                return self.out.types.int(IntKind::Bool);
            }
            _ => {}
        }
        if name.starts_with("__atomic_compare_exchange") {
            return self.out.types.int(IntKind::Bool);
        }
        let gives_value = name.starts_with("__sync_")
            || name.starts_with("__atomic_fetch")
            || name.ends_with("_fetch")
            || name.ends_with("_n");
        let is_atomic = name.starts_with("__sync_") || name.starts_with("__atomic_");
        if gives_value && is_atomic && name != "__atomic_store_n" && self.out.types.is_error(ret) {
            let pointer = self.value_ty(first);
            if let Some(to) = self.out.types.pointee(pointer) {
                return self.out.types.unqualified(to);
            }
        }
        ret
    }
}

fn gives(name: &str) -> Option<Gives> {
    use Gives::*;
    Some(match name {
        "va_start" | "va_end" | "va_copy" | "unreachable" | "trap" | "prefetch" | "abort" | "exit"
        | "_exit" | "free" | "__clear___cache" | "bzero" => Void,
        "alloca"
        | "alloca_with_align"
        | "memcpy"
        | "memmove"
        | "memset"
        | "mempcpy"
        | "malloc"
        | "calloc"
        | "realloc"
        | "frame_address"
        | "return_address"
        | "extract_return_addr"
        | "assume_aligned"
        | "memchr"
        | "aligned_alloc"
        | "__memcpy_chk"
        | "__memset_chk"
        | "__memmove_chk"
        | "apply_args"
        | "thread_pointer" => VoidPointer,
        "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "strpbrk"
        | "strdup" | "stpcpy" | "index" | "rindex" | "strndup" | "__strcpy_chk" | "__strncpy_chk"
        | "__strcat_chk" | "getenv" => CharPointer,
        "strlen" | "strspn" | "strcspn" | "object_size" | "dynamic_object_size" | "strnlen" | "fwrite" => {
            Int(IntKind::ULong)
        }
        "expect" | "expect_with_probability" | "labs" | "lrint" | "lround" | "strtol" | "atol" => {
            Int(IntKind::Long)
        }
        "llabs" | "llrint" | "llround" => Int(IntKind::LongLong),
        "bswap16" => Int(IntKind::UShort),
        "bswap32" => Int(IntKind::UInt),
        "bswap64" => Int(IntKind::ULong),
        "bswap128" => Int(IntKind::UInt128),
        _ if name.ends_with("_overflow") || name.ends_with("_overflow_p") => Int(IntKind::Bool),
        _ if is_int(name) => Int(IntKind::Int),
        _ => return float(name),
    })
}

fn is_int(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "constant_p",
        "abs",
        "memcmp",
        "strcmp",
        "strncmp",
        "strcasecmp",
        "strncasecmp",
        "bcmp",
        "printf",
        "fprintf",
        "sprintf",
        "snprintf",
        "vprintf",
        "vfprintf",
        "vsprintf",
        "vsnprintf",
        "puts",
        "putchar",
        "fputs",
        "scanf",
        "sscanf",
        "setjmp",
        "isnan",
        "isinf",
        "isinf_sign",
        "isfinite",
        "isnormal",
        "signbit",
        "signbitf",
        "signbitl",
        "isgreater",
        "isless",
        "isgreaterequal",
        "islessequal",
        "islessgreater",
        "isunordered",
        "fpclassify",
        "classify_type",
        "cpu_supports",
        "cpu_is",
        "isalpha",
        "isdigit",
        "isspace",
        "isupper",
        "islower",
        "tolower",
        "toupper",
        "atoi",
        "eh_return_data_regno",
        "va_arg_pack_len",
        "__snprintf_chk",
        "__sprintf_chk",
        "__printf_chk",
        "__fprintf_chk",
        "ilogb",
        "isblank",
        "iscntrl",
        "isgraph",
        "isprint",
        "ispunct",
        "isxdigit",
        "isalnum",
        "finite",
        "has_attribute",
        "is_constant_evaluated",
    ];
    const BITS: &[&str] = &["clz", "ctz", "ffs", "popcount", "parity", "clrsb"];
    let stem = name.trim_end_matches("ll").trim_end_matches('l');
    EXACT.contains(&name)
        || BITS.iter().any(|b| stem == *b || name == *b || name.strip_suffix('l') == Some(*b))
}

/// Functions of `math.h`, by their suffix.
fn float(name: &str) -> Option<Gives> {
    const STEMS: &[&str] = &[
        "huge_val",
        "inf",
        "nan",
        "nans",
        "fabs",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "ceil",
        "floor",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fmod",
        "fmin",
        "fmax",
        "fma",
        "hypot",
        "cbrt",
        "copysign",
        "ldexp",
        "scalbn",
        "frexp",
        "modf",
        "erf",
        "erfc",
        "tgamma",
        "lgamma",
        "fdim",
        "remainder",
        "nextafter",
        "logb",
        "creal",
        "cimag",
        "cabs",
        "carg",
        "powi",
        "asinh",
        "acosh",
        "atanh",
        "atof",
        "strtod",
    ];
    let of = |stem: &str| STEMS.contains(&stem);
    if of(name) {
        return Some(Gives::Float(FloatKind::Double));
    }
    if let Some(stem) = name.strip_suffix("f128") {
        return of(stem).then_some(Gives::Float(FloatKind::N(128, false)));
    }
    let (stem, kind) = match name.as_bytes().last()? {
        b'f' => (&name[..name.len() - 1], FloatKind::Float),
        b'l' => (&name[..name.len() - 1], FloatKind::LongDouble),
        _ => return None,
    };
    of(stem).then_some(Gives::Float(kind))
}

/// The header that declares a well-known name.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    const C: &[(&str, &[&str])] = &[
        (
            "stdio.h",
            &[
                "printf", "fprintf", "sprintf", "snprintf", "puts", "putchar", "fopen", "fclose", "fgets",
                "fputs", "scanf", "sscanf", "fscanf", "fflush", "perror", "stdin", "stdout", "stderr",
                "FILE", "EOF", "fread", "fwrite", "fseek", "getchar",
            ],
        ),
        (
            "stdlib.h",
            &[
                "malloc",
                "calloc",
                "realloc",
                "free",
                "exit",
                "abort",
                "atoi",
                "atol",
                "atof",
                "rand",
                "srand",
                "qsort",
                "getenv",
                "abs",
                "strtol",
                "strtod",
                "strtoul",
                "drand48",
                "srand48",
                "random",
                "EXIT_SUCCESS",
                "EXIT_FAILURE",
                "RAND_MAX",
            ],
        ),
        (
            "string.h",
            &[
                "memcpy", "memset", "memcmp", "memmove", "strlen", "strcpy", "strncpy", "strcmp", "strncmp",
                "strcat", "strchr", "strstr", "strdup", "strtok", "strerror",
            ],
        ),
        ("stddef.h", &["NULL", "offsetof"]),
        ("assert.h", &["assert"]),
        (
            "math.h",
            &[
                "sqrt", "sin", "cos", "tan", "exp", "log", "pow", "fabs", "floor", "ceil", "fmod", "M_PI",
                "isnan",
            ],
        ),
        ("time.h", &["time", "clock", "clock_gettime", "localtime", "CLOCKS_PER_SEC"]),
        ("sys/time.h", &["gettimeofday"]),
        ("unistd.h", &["sleep", "usleep", "getpid", "read", "write", "close", "getopt", "gethostname"]),
        ("errno.h", &["errno", "ENOENT", "EINVAL"]),
        ("limits.h", &["INT_MAX", "INT_MIN", "LONG_MAX", "UINT_MAX", "CHAR_BIT"]),
        ("stdint.h", &["INT64_MAX", "UINT64_MAX", "INT32_MAX", "UINT32_MAX", "SIZE_MAX"]),
        ("stdbool.h", &["true", "false"]),
    ];
    if let Some((header, _)) = C.iter().find(|(_, names)| names.contains(&name)) {
        return Some(header);
    }
    upc_header(name)
}

/// The same of the library that Split-C and AC programs use.
pub(crate) fn split_c_header_of(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    const PLAIN: &[&str] = &[
        "barrier",
        "sync",
        "is_sync",
        "store_sync",
        "reset_store_sync",
        "get_seconds",
        "spread_malloc",
        "spread_free",
        "PROCSLOG",
        "fetch_and_add",
        "fetch_and_add_l",
        "exchange",
        "exchange_l",
        "test_and_set",
        "cmp_and_swap",
        "cmp_and_swap_l",
        "atomic",
        "atomic_l",
        "enqueue",
        "dequeue",
        "queue_init",
        "splitc_queue",
    ];
    if starts(&["for_my_", "on_one", "on_proc"]) {
        Some("split-c/control.h")
    } else if name.ends_with("_ctr") || matches!(name, "Ctr" | "StCtr") {
        Some("split-c/counter.h")
    } else if PLAIN.contains(&name)
        || starts(&["bulk_", "all_spread_", "all_reduce_to_", "all_scan_", "all_bcast", "all_store_sync"])
    {
        Some("split-c/split-c.h")
    } else {
        header_of(name)
    }
}

fn upc_header(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    let lower = name.to_ascii_lowercase();
    if starts(&["bupc_"]) {
        Some("bupc_extensions.h")
    } else if starts(&["upc_atomic", "upc_all_atomic"]) || lower.starts_with("upc_atomic") {
        Some("upc_atomic.h")
    } else if starts(&["upc_tick", "UPC_TICK"]) {
        Some("upc_tick.h")
    } else if starts(&["upc_cast", "upc_thread_info", "UPC_CAST"]) {
        Some("upc_castable.h")
    } else if name.contains("_nb") && starts(&["upc_"]) || starts(&["upc_sync", "UPC_COMPLETE_HANDLE"]) {
        Some("upc_nb.h")
    } else if starts(&["upc_all_f"]) && name != "upc_all_free" {
        Some("upc_io.h")
    } else if starts(&["upc_all_"]) && !starts(&["upc_all_alloc", "upc_all_free", "upc_all_lock"])
        || starts(&["UPC_IN_", "UPC_OUT_"])
    {
        Some("upc_collective.h")
    } else if starts(&["upc_"]) {
        Some("upc.h")
    } else {
        None
    }
}
