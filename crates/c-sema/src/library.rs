//! The library functions that the compiler knows: one row each.
//!
//! A row says which header declares a name, what a call gives, what it may do to the program, and the inline
//! code that it becomes, if any. Names of the same headers that are no functions stand here too, so that a
//! message can say what to include.
//!
//! To add a function, add its row. `tests/library.rs` compares the rows of UPC and Split-C with the headers.

use crate::types::{FloatKind, IntKind};
use base::{Code, Diagnostic, Source};
use c_syntax::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One row.
#[derive(Debug)]
pub struct Entry {
    /// The name. One that ends in `*` stands for all names that begin so.
    pub name: &'static str,
    /// The header that declares it; empty where none does.
    pub header: &'static str,
    /// What a call gives.
    pub gives: Gives,
    /// What a call does.
    pub effects: Effects,
    /// The code that takes the place of a call.
    pub inline: Option<Inline>,
    /// C compilers know what it gives without a declaration.
    pub known: bool,
    whose: Whose,
}

/// What a call gives; or what kind of name it is, if no function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating-point number.
    Float(FloatKind),
    /// `void *`
    VoidPointer,
    /// `char *`
    CharPointer,
    /// A pointer to something else, maybe shared.
    Pointer,
    /// A structure, or one of several types.
    Other,
    /// No function: a macro, a constant, an object.
    Macro,
    /// No function: a type.
    Type,
}

impl Gives {
    /// Whether it is a pointer, which an `int` cannot hold.
    pub fn is_pointer(self) -> bool {
        matches!(self, Gives::VoidPointer | Gives::CharPointer | Gives::Pointer)
    }
}

/// What a call does to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// What it does is not known: it may assign any object that it can reach.
    Any,
    /// It assigns nothing of the program's.
    None,
    /// All threads must call it.
    Collective,
    /// Split-C's outstanding gets and puts may be complete after it.
    Syncs,
}

/// Inline code for a call.
#[derive(Debug)]
pub struct Inline {
    /// The C function.
    pub function: &'static str,
    /// Its form for memory that is certain to be on this host.
    pub local: Option<&'static str>,
    /// How each argument is passed. A call with other arguments is left as it is.
    pub args: &'static [Arg],
    /// The type that its result is cast to.
    pub result: Option<&'static str>,
}

/// How an argument of inline code is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// The bits of a pointer-to-shared.
    Bits,
    /// Any other value.
    Value,
}

/// Where a name belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    C,
    Compiler,
    Upc,
    SplitC,
}

impl Entry {
    const fn new(whose: Whose, header: &'static str, name: &'static str, gives: Gives) -> Entry {
        Entry { name, header, gives, effects: Effects::Any, inline: None, known: false, whose }
    }

    const fn known(mut self) -> Entry {
        self.known = true;
        self
    }

    const fn pure(mut self) -> Entry {
        self.effects = Effects::None;
        self
    }

    const fn collective(mut self) -> Entry {
        self.effects = Effects::Collective;
        self
    }

    const fn syncs(mut self) -> Entry {
        self.effects = Effects::Syncs;
        self
    }

    const fn inline(
        mut self,
        function: &'static str,
        args: &'static [Arg],
        result: Option<&'static str>,
    ) -> Entry {
        self.inline = Some(Inline { function, local: None, args, result });
        self
    }

    const fn local(mut self, function: &'static str) -> Entry {
        if let Some(inline) = &mut self.inline {
            inline.local = Some(function);
        }
        self
    }

    /// Whether it is a function.
    pub fn is_function(&self) -> bool {
        !matches!(self.gives, Gives::Macro | Gives::Type)
    }

    /// Whether a program may have something of its own of this name. Those that begin with `upc_` are
    /// reserved.
    pub fn may_be_replaced(&self) -> bool {
        self.whose == Whose::SplitC
    }
}

/// The row of a name that programs of a language can use.
pub fn find(name: &str, language: Language) -> Option<&'static Entry> {
    let everything = language.everything();
    lookup(name).filter(|row| match row.whose {
        Whose::C => true,
        Whose::Compiler => false,
        Whose::Upc => !everything,
        Whose::SplitC => everything,
    })
}

/// Of a function of UPC's or Split-C's libraries: whose it is, and its header.
pub fn header_of(name: &str) -> Option<(&'static str, &'static str)> {
    let row = lookup(name).filter(|row| !matches!(row.gives, Gives::Macro | Gives::Type))?;
    match row.whose {
        Whose::Upc => Some(("UPC's library", row.header)),
        Whose::SplitC => Some(("Split-C's library", row.header)),
        Whose::C | Whose::Compiler => None,
    }
}

/// Whether this is a function of C's library.
pub(crate) fn is_of_c(name: &str) -> bool {
    lookup(name).is_some_and(|row| row.whose == Whose::C && row.is_function())
}

/// What C compilers give for `__builtin_NAME`, or for a function NAME that nothing declares.
pub(crate) fn builtin(name: &str) -> Option<Gives> {
    if let Some(row) = lookup(name) {
        return Some(row.gives).filter(|_| row.known);
    }
    // Functions of <math.h> exist for other types too.
    let (stem, kind) = match name.strip_suffix("f128") {
        Some(stem) => (stem, FloatKind::N(128, false)),
        None => match name.as_bytes().last()? {
            b'f' => (&name[..name.len() - 1], FloatKind::Float),
            b'l' => (&name[..name.len() - 1], FloatKind::LongDouble),
            _ => return None,
        },
    };
    let row = lookup(stem).filter(|row| has_kinds(row) && row.known)?;
    Some(match row.gives {
        Gives::Float(_) => Gives::Float(kind),
        other => other,
    })
}

/// Whether a C compiler may compute a call with constant arguments, as gcc does with `4 * atan(1.0)` outside
/// of functions; the compiler decides.
pub(crate) fn may_be_folded(name: &str) -> bool {
    matches!(builtin(name), Some(Gives::Int(_) | Gives::Float(_)))
}

/// Whether the function exists for all floating-point types, as `sin`, `sinf` and `sinl`.
fn has_kinds(row: &Entry) -> bool {
    row.name == "powi" || matches!(row.header, "math.h" | "complex.h")
}

/// A row by its name, that of a function for another floating-point type included.
pub(crate) fn find_function(name: &str, language: Language) -> Option<&'static Entry> {
    find(name, language).filter(|row| row.is_function()).or_else(|| {
        let stem = name.strip_suffix(['f', 'l'])?;
        find(stem, language).filter(|row| row.is_function() && has_kinds(row))
    })
}

fn lookup(name: &str) -> Option<&'static Entry> {
    static BY_NAME: LazyLock<HashMap<&str, &Entry>> =
        LazyLock::new(|| ROWS.iter().map(|row| (row.name, row)).collect());
    static FAMILIES: LazyLock<Vec<(&str, &Entry)>> =
        LazyLock::new(|| ROWS.iter().filter_map(|row| Some((row.name.strip_suffix('*')?, row))).collect());
    let family = || FAMILIES.iter().find(|(start, _)| name.starts_with(start)).map(|found| found.1);
    BY_NAME.get(name).copied().or_else(family)
}

/// Adds to messages about unknown types which header has them.
pub fn add_headers(diagnostics: &mut [Diagnostic], source: &Source, language: Language) {
    for d in diagnostics.iter_mut().filter(|d| d.code == Code::UnknownType) {
        let row = source.text.get(d.span.range()).and_then(|name| find(name, language));
        if let Some(row) = row.filter(|row| row.gives == Gives::Type) {
            d.help = Some(format!("add `#include <{}>`", row.header));
        }
    }
}

/// All rows, for tests and for suggestions.
pub fn rows() -> &'static [Entry] {
    ROWS
}

const fn c(header: &'static str, name: &'static str, gives: Gives) -> Entry {
    Entry::new(Whose::C, header, name, gives)
}

const fn compiler(name: &'static str, gives: Gives) -> Entry {
    Entry::new(Whose::Compiler, "", name, gives).known()
}

const fn upc(header: &'static str, name: &'static str, gives: Gives) -> Entry {
    Entry::new(Whose::Upc, header, name, gives)
}

const fn splitc(header: &'static str, name: &'static str, gives: Gives) -> Entry {
    Entry::new(Whose::SplitC, header, name, gives)
}

use Arg::{Bits, Value};
use Gives::{CharPointer, Float, Int, Macro, Other, Pointer, Type, Void, VoidPointer};

const INT: Gives = Int(IntKind::Int);
const LONG: Gives = Int(IntKind::Long);
const SIZE: Gives = Int(IntKind::ULong);
const DOUBLE: Gives = Float(FloatKind::Double);

#[rustfmt::skip]
static ROWS: &[Entry] = &[
    // <stdio.h>.
    c("stdio.h", "printf", INT).known().pure(),
    c("stdio.h", "fprintf", INT).known(),
    c("stdio.h", "sprintf", INT).known(),
    c("stdio.h", "snprintf", INT).known(),
    c("stdio.h", "vprintf", INT).known(),
    c("stdio.h", "vfprintf", INT).known(),
    c("stdio.h", "vsprintf", INT).known(),
    c("stdio.h", "vsnprintf", INT).known(),
    c("stdio.h", "puts", INT).known(),
    c("stdio.h", "putchar", INT).known(),
    c("stdio.h", "fputs", INT).known(),
    c("stdio.h", "scanf", INT).known(),
    c("stdio.h", "sscanf", INT).known(),
    c("stdio.h", "fscanf", INT).known(),
    c("stdio.h", "fwrite", SIZE).known(),
    c("stdio.h", "fread", SIZE),
    c("stdio.h", "fclose", INT),
    c("stdio.h", "fflush", INT),
    c("stdio.h", "fseek", INT),
    c("stdio.h", "getchar", INT),
    c("stdio.h", "fputc", INT),
    c("stdio.h", "putc", INT),
    c("stdio.h", "getc", INT),
    c("stdio.h", "fgetc", INT),
    c("stdio.h", "ungetc", INT),
    c("stdio.h", "ferror", INT),
    c("stdio.h", "feof", INT),
    c("stdio.h", "remove", INT),
    c("stdio.h", "rename", INT),
    c("stdio.h", "ftell", LONG),
    c("stdio.h", "perror", Void),
    c("stdio.h", "rewind", Void),
    c("stdio.h", "fgets", CharPointer),
    c("stdio.h", "fopen", Pointer),
    c("stdio.h", "freopen", Pointer),
    c("stdio.h", "fdopen", Pointer),
    c("stdio.h", "tmpfile", Pointer),
    c("stdio.h", "popen", Pointer),
    c("stdio.h", "stdin", Macro),
    c("stdio.h", "stdout", Macro),
    c("stdio.h", "stderr", Macro),
    c("stdio.h", "EOF", Macro),
    c("stdio.h", "BUFSIZ", Macro),
    c("stdio.h", "SEEK_SET", Macro),
    c("stdio.h", "SEEK_CUR", Macro),
    c("stdio.h", "SEEK_END", Macro),
    c("stdio.h", "FILE", Type),
    // <stdlib.h>.
    c("stdlib.h", "malloc", VoidPointer).known(),
    c("stdlib.h", "calloc", VoidPointer).known(),
    c("stdlib.h", "realloc", VoidPointer).known(),
    c("stdlib.h", "aligned_alloc", VoidPointer).known(),
    c("stdlib.h", "free", Void).known(),
    c("stdlib.h", "abort", Void).known(),
    c("stdlib.h", "exit", Void).known(),
    c("stdlib.h", "abs", INT).known().pure(),
    c("stdlib.h", "labs", LONG).known().pure(),
    c("stdlib.h", "llabs", Int(IntKind::LongLong)).known(),
    c("stdlib.h", "rand", INT).pure(),
    c("stdlib.h", "atoi", INT),
    c("stdlib.h", "system", INT),
    c("stdlib.h", "posix_memalign", INT),
    c("stdlib.h", "setenv", INT),
    c("stdlib.h", "srand", Void),
    c("stdlib.h", "srand48", Void),
    c("stdlib.h", "qsort", Void),
    c("stdlib.h", "atol", LONG),
    c("stdlib.h", "strtol", LONG),
    c("stdlib.h", "random", LONG),
    c("stdlib.h", "lrand48", LONG),
    c("stdlib.h", "strtoul", SIZE),
    c("stdlib.h", "strtoll", Int(IntKind::LongLong)),
    c("stdlib.h", "atoll", Int(IntKind::LongLong)),
    c("stdlib.h", "strtoull", Int(IntKind::ULongLong)),
    c("stdlib.h", "atof", DOUBLE),
    c("stdlib.h", "strtod", DOUBLE),
    c("stdlib.h", "drand48", DOUBLE),
    c("stdlib.h", "erand48", DOUBLE),
    c("stdlib.h", "strtof", Float(FloatKind::Float)),
    c("stdlib.h", "getenv", CharPointer),
    c("stdlib.h", "bsearch", VoidPointer),
    c("stdlib.h", "EXIT_SUCCESS", Macro),
    c("stdlib.h", "EXIT_FAILURE", Macro),
    c("stdlib.h", "RAND_MAX", Macro),
    // <string.h>, <strings.h>.
    c("string.h", "memcpy", VoidPointer).known(),
    c("string.h", "memmove", VoidPointer).known(),
    c("string.h", "memset", VoidPointer).known(),
    c("string.h", "mempcpy", VoidPointer).known(),
    c("string.h", "memchr", VoidPointer).known(),
    c("string.h", "strcpy", CharPointer).known(),
    c("string.h", "strncpy", CharPointer).known(),
    c("string.h", "strcat", CharPointer).known(),
    c("string.h", "strncat", CharPointer).known(),
    c("string.h", "strchr", CharPointer).known(),
    c("string.h", "strrchr", CharPointer).known(),
    c("string.h", "strstr", CharPointer).known(),
    c("string.h", "strpbrk", CharPointer).known(),
    c("string.h", "strdup", CharPointer).known(),
    c("string.h", "strndup", CharPointer).known(),
    c("string.h", "stpcpy", CharPointer).known(),
    c("string.h", "memcmp", INT).known(),
    c("string.h", "strcmp", INT).known(),
    c("string.h", "strncmp", INT).known(),
    c("string.h", "strlen", SIZE).known(),
    c("string.h", "strnlen", SIZE).known(),
    c("string.h", "strspn", SIZE).known(),
    c("string.h", "strcspn", SIZE).known(),
    c("string.h", "strtok", CharPointer),
    c("string.h", "strtok_r", CharPointer),
    c("string.h", "strerror", CharPointer),
    c("string.h", "strsep", CharPointer),
    c("strings.h", "strcasecmp", INT).known(),
    c("strings.h", "strncasecmp", INT).known(),
    c("strings.h", "bcmp", INT).known(),
    c("strings.h", "bzero", Void).known(),
    c("strings.h", "index", CharPointer).known(),
    c("strings.h", "rindex", CharPointer).known(),
    // <ctype.h>.
    c("ctype.h", "isalnum", INT).known(),
    c("ctype.h", "isalpha", INT).known(),
    c("ctype.h", "isblank", INT).known(),
    c("ctype.h", "iscntrl", INT).known(),
    c("ctype.h", "isdigit", INT).known(),
    c("ctype.h", "isgraph", INT).known(),
    c("ctype.h", "islower", INT).known(),
    c("ctype.h", "isprint", INT).known(),
    c("ctype.h", "ispunct", INT).known(),
    c("ctype.h", "isspace", INT).known(),
    c("ctype.h", "isupper", INT).known(),
    c("ctype.h", "isxdigit", INT).known(),
    c("ctype.h", "tolower", INT).known(),
    c("ctype.h", "toupper", INT).known(),
    // <math.h>, <complex.h>: also with f, l and f128 behind the name.
    c("math.h", "acos", DOUBLE).known().pure(),
    c("math.h", "asin", DOUBLE).known().pure(),
    c("math.h", "atan", DOUBLE).known().pure(),
    c("math.h", "atan2", DOUBLE).known().pure(),
    c("math.h", "ceil", DOUBLE).known().pure(),
    c("math.h", "cos", DOUBLE).known().pure(),
    c("math.h", "cosh", DOUBLE).known().pure(),
    c("math.h", "exp", DOUBLE).known().pure(),
    c("math.h", "fabs", DOUBLE).known().pure(),
    c("math.h", "floor", DOUBLE).known().pure(),
    c("math.h", "fma", DOUBLE).known().pure(),
    c("math.h", "fmax", DOUBLE).known().pure(),
    c("math.h", "fmin", DOUBLE).known().pure(),
    c("math.h", "fmod", DOUBLE).known().pure(),
    c("math.h", "hypot", DOUBLE).known().pure(),
    c("math.h", "log", DOUBLE).known().pure(),
    c("math.h", "log10", DOUBLE).known().pure(),
    c("math.h", "log2", DOUBLE).known().pure(),
    c("math.h", "pow", DOUBLE).known().pure(),
    c("math.h", "round", DOUBLE).known().pure(),
    c("math.h", "sin", DOUBLE).known().pure(),
    c("math.h", "sinh", DOUBLE).known().pure(),
    c("math.h", "sqrt", DOUBLE).known().pure(),
    c("math.h", "tan", DOUBLE).known().pure(),
    c("math.h", "tanh", DOUBLE).known().pure(),
    c("math.h", "trunc", DOUBLE).known().pure(),
    c("math.h", "huge_val", DOUBLE).known(),
    c("math.h", "inf", DOUBLE).known(),
    c("math.h", "nan", DOUBLE).known(),
    c("math.h", "nans", DOUBLE).known(),
    c("math.h", "exp2", DOUBLE).known(),
    c("math.h", "expm1", DOUBLE).known(),
    c("math.h", "log1p", DOUBLE).known(),
    c("math.h", "rint", DOUBLE).known(),
    c("math.h", "nearbyint", DOUBLE).known(),
    c("math.h", "cbrt", DOUBLE).known(),
    c("math.h", "copysign", DOUBLE).known(),
    c("math.h", "ldexp", DOUBLE).known(),
    c("math.h", "scalbn", DOUBLE).known(),
    c("math.h", "frexp", DOUBLE).known(),
    c("math.h", "modf", DOUBLE).known(),
    c("math.h", "erf", DOUBLE).known(),
    c("math.h", "erfc", DOUBLE).known(),
    c("math.h", "tgamma", DOUBLE).known(),
    c("math.h", "lgamma", DOUBLE).known(),
    c("math.h", "fdim", DOUBLE).known(),
    c("math.h", "remainder", DOUBLE).known(),
    c("math.h", "nextafter", DOUBLE).known(),
    c("math.h", "logb", DOUBLE).known(),
    c("math.h", "asinh", DOUBLE).known(),
    c("math.h", "acosh", DOUBLE).known(),
    c("math.h", "atanh", DOUBLE).known(),
    c("math.h", "lrint", LONG).known(),
    c("math.h", "lround", LONG).known(),
    c("math.h", "llrint", Int(IntKind::LongLong)).known(),
    c("math.h", "llround", Int(IntKind::LongLong)).known(),
    c("math.h", "isnan", INT).known(),
    c("math.h", "isinf", INT).known(),
    c("math.h", "isinf_sign", INT).known(),
    c("math.h", "isfinite", INT).known(),
    c("math.h", "isnormal", INT).known(),
    c("math.h", "signbit", INT).known(),
    c("math.h", "isgreater", INT).known(),
    c("math.h", "isless", INT).known(),
    c("math.h", "isgreaterequal", INT).known(),
    c("math.h", "islessequal", INT).known(),
    c("math.h", "islessgreater", INT).known(),
    c("math.h", "isunordered", INT).known(),
    c("math.h", "fpclassify", INT).known(),
    c("math.h", "ilogb", INT).known(),
    c("math.h", "finite", INT).known(),
    c("math.h", "M_PI", Macro),
    c("math.h", "M_E", Macro),
    c("math.h", "INFINITY", Macro),
    c("math.h", "NAN", Macro),
    c("math.h", "HUGE_VAL", Macro),
    c("complex.h", "cabs", DOUBLE).known().pure(),
    c("complex.h", "creal", DOUBLE).known(),
    c("complex.h", "cimag", DOUBLE).known(),
    c("complex.h", "carg", DOUBLE).known(),
    // Other headers of C and POSIX.
    c("setjmp.h", "setjmp", INT).known(),
    c("stddef.h", "NULL", Macro),
    c("stddef.h", "offsetof", Macro),
    c("stddef.h", "size_t", Type),
    c("stddef.h", "ptrdiff_t", Type),
    c("stddef.h", "wchar_t", Type),
    c("stddef.h", "max_align_t", Type),
    c("assert.h", "assert", Macro),
    c("errno.h", "errno", Macro),
    c("errno.h", "ENOENT", Macro),
    c("errno.h", "EINVAL", Macro),
    c("errno.h", "ENOMEM", Macro),
    c("errno.h", "ERANGE", Macro),
    c("errno.h", "EAGAIN", Macro),
    c("errno.h", "EINTR", Macro),
    c("limits.h", "CHAR_BIT", Macro),
    c("limits.h", "CHAR_MAX", Macro),
    c("limits.h", "INT_MAX", Macro),
    c("limits.h", "INT_MIN", Macro),
    c("limits.h", "UINT_MAX", Macro),
    c("limits.h", "LONG_MAX", Macro),
    c("limits.h", "LONG_MIN", Macro),
    c("limits.h", "ULONG_MAX", Macro),
    c("limits.h", "LLONG_MAX", Macro),
    c("limits.h", "LLONG_MIN", Macro),
    c("limits.h", "ULLONG_MAX", Macro),
    c("limits.h", "SHRT_MAX", Macro),
    c("float.h", "DBL_MAX", Macro),
    c("float.h", "DBL_MIN", Macro),
    c("float.h", "DBL_EPSILON", Macro),
    c("float.h", "FLT_MAX", Macro),
    c("float.h", "FLT_MIN", Macro),
    c("float.h", "FLT_EPSILON", Macro),
    c("stdint.h", "INT8_MAX", Macro),
    c("stdint.h", "INT16_MAX", Macro),
    c("stdint.h", "INT32_MAX", Macro),
    c("stdint.h", "INT64_MAX", Macro),
    c("stdint.h", "UINT8_MAX", Macro),
    c("stdint.h", "UINT16_MAX", Macro),
    c("stdint.h", "UINT32_MAX", Macro),
    c("stdint.h", "UINT64_MAX", Macro),
    c("stdint.h", "INT32_MIN", Macro),
    c("stdint.h", "INT64_MIN", Macro),
    c("stdint.h", "SIZE_MAX", Macro),
    c("stdint.h", "int8_t", Type),
    c("stdint.h", "int16_t", Type),
    c("stdint.h", "int32_t", Type),
    c("stdint.h", "int64_t", Type),
    c("stdint.h", "uint8_t", Type),
    c("stdint.h", "uint16_t", Type),
    c("stdint.h", "uint32_t", Type),
    c("stdint.h", "uint64_t", Type),
    c("stdint.h", "intptr_t", Type),
    c("stdint.h", "uintptr_t", Type),
    c("stdint.h", "intmax_t", Type),
    c("stdint.h", "uintmax_t", Type),
    c("stdint.h", "int_fast32_t", Type),
    c("stdint.h", "uint_fast32_t", Type),
    c("stdint.h", "int_least32_t", Type),
    c("stdint.h", "uint_least32_t", Type),
    c("inttypes.h", "PRId64", Macro),
    c("inttypes.h", "PRIu64", Macro),
    c("inttypes.h", "PRIx64", Macro),
    c("inttypes.h", "PRId32", Macro),
    c("inttypes.h", "PRIu32", Macro),
    c("stdbool.h", "true", Macro),
    c("stdbool.h", "false", Macro),
    c("stdbool.h", "bool", Type),
    c("stdarg.h", "va_start", Void).known(),
    c("stdarg.h", "va_end", Void).known(),
    c("stdarg.h", "va_copy", Void).known(),
    c("stdarg.h", "va_list", Type),
    c("time.h", "time", LONG),
    c("time.h", "clock", LONG),
    c("time.h", "clock_gettime", INT),
    c("time.h", "nanosleep", INT),
    c("time.h", "difftime", DOUBLE),
    c("time.h", "localtime", Pointer),
    c("time.h", "gmtime", Pointer),
    c("time.h", "ctime", CharPointer),
    c("time.h", "CLOCKS_PER_SEC", Macro),
    c("time.h", "CLOCK_MONOTONIC", Macro),
    c("time.h", "CLOCK_REALTIME", Macro),
    c("time.h", "time_t", Type),
    c("time.h", "clock_t", Type),
    c("sys/time.h", "gettimeofday", INT),
    c("sys/types.h", "pid_t", Type),
    c("sys/types.h", "off_t", Type),
    c("sys/types.h", "ssize_t", Type),
    c("signal.h", "signal", Pointer),
    c("signal.h", "raise", INT),
    c("signal.h", "kill", INT),
    c("signal.h", "SIGINT", Macro),
    c("signal.h", "SIGTERM", Macro),
    c("signal.h", "SIGKILL", Macro),
    c("pthread.h", "pthread_create", INT),
    c("pthread.h", "pthread_join", INT),
    c("pthread.h", "pthread_t", Type),
    c("pthread.h", "pthread_mutex_t", Type),
    c("unistd.h", "_exit", Void).known(),
    c("unistd.h", "sleep", Int(IntKind::UInt)),
    c("unistd.h", "usleep", INT),
    c("unistd.h", "getpid", INT),
    c("unistd.h", "close", INT),
    c("unistd.h", "getopt", INT),
    c("unistd.h", "gethostname", INT),
    c("unistd.h", "fork", INT),
    c("unistd.h", "read", LONG),
    c("unistd.h", "write", LONG),
    c("unistd.h", "sysconf", LONG),
    c("alloca.h", "alloca", VoidPointer).known(),
    // What compilers provide as `__builtin_…` alone.
    compiler("unreachable", Void),
    compiler("trap", Void),
    compiler("prefetch", Void),
    compiler("__clear___cache", Void),
    compiler("alloca_with_align", VoidPointer),
    compiler("frame_address", VoidPointer),
    compiler("return_address", VoidPointer),
    compiler("extract_return_addr", VoidPointer),
    compiler("assume_aligned", VoidPointer),
    compiler("apply_args", VoidPointer),
    compiler("thread_pointer", VoidPointer),
    compiler("__memcpy_chk", VoidPointer),
    compiler("__memset_chk", VoidPointer),
    compiler("__memmove_chk", VoidPointer),
    compiler("__strcpy_chk", CharPointer),
    compiler("__strncpy_chk", CharPointer),
    compiler("__strcat_chk", CharPointer),
    compiler("object_size", SIZE),
    compiler("dynamic_object_size", SIZE),
    compiler("bswap64", SIZE),
    compiler("expect", LONG),
    compiler("expect_with_probability", LONG),
    compiler("bswap16", Int(IntKind::UShort)),
    compiler("bswap32", Int(IntKind::UInt)),
    compiler("bswap128", Int(IntKind::UInt128)),
    compiler("constant_p", INT),
    compiler("classify_type", INT),
    compiler("cpu_supports", INT),
    compiler("cpu_is", INT),
    compiler("eh_return_data_regno", INT),
    compiler("va_arg_pack_len", INT),
    compiler("__snprintf_chk", INT),
    compiler("__sprintf_chk", INT),
    compiler("__printf_chk", INT),
    compiler("__fprintf_chk", INT),
    compiler("has_attribute", INT),
    compiler("is_constant_evaluated", INT),
    compiler("clz*", INT),
    compiler("ctz*", INT),
    compiler("ffs*", INT),
    compiler("popcount*", INT),
    compiler("parity*", INT),
    compiler("clrsb*", INT),
    compiler("powi", DOUBLE),
    // UPC 7.2: <upc.h>.
    upc("upc.h", "upc_global_exit", Void),
    upc("upc.h", "upc_free", Void),
    upc("upc.h", "upc_lock_free", Void),
    upc("upc.h", "upc_lock", Void),
    upc("upc.h", "upc_unlock", Void),
    upc("upc.h", "upc_all_free", Void).collective(),
    upc("upc.h", "upc_all_lock_free", Void).collective(),
    upc("upc.h", "upc_alloc", Pointer),
    upc("upc.h", "upc_global_alloc", Pointer),
    upc("upc.h", "upc_local_alloc", Pointer),
    upc("upc.h", "upc_resetphase", Pointer),
    upc("upc.h", "upc_global_lock_alloc", Pointer),
    upc("upc.h", "upc_all_alloc", Pointer).collective(),
    upc("upc.h", "upc_all_lock_alloc", Pointer).collective(),
    upc("upc.h", "upc_threadof", SIZE).pure().inline("mer_threadof", &[Bits], Some("__SIZE_TYPE__")),
    upc("upc.h", "upc_phaseof", SIZE).pure(),
    upc("upc.h", "upc_addrfield", SIZE).pure().inline("mer_native", &[Bits], Some("__SIZE_TYPE__")),
    upc("upc.h", "upc_affinitysize", SIZE),
    upc("upc.h", "upc_lock_attempt", INT),
    upc("upc.h", "upc_memcpy", Void).inline("mer_memcpy", &[Bits, Bits, Value], None).local("mer_memcpy_local"),
    upc("upc.h", "upc_memget", Void).inline("mer_memget", &[Value, Bits, Value], None).local("mer_memget_local"),
    upc("upc.h", "upc_memput", Void).inline("mer_memput", &[Bits, Value, Value], None).local("mer_memput_local"),
    upc("upc.h", "upc_memset", Void).inline("mer_memset", &[Bits, Value, Value], None).local("mer_memset_local"),
    upc("upc.h", "upc_lock_t", Type),
    // UPC 7.3 to 7.9, and the extensions `bupc_…`.
    upc("upc_types.h", "UPC_ADD", Macro),
    upc("upc_types.h", "UPC_MULT", Macro),
    upc("upc_types.h", "UPC_AND", Macro),
    upc("upc_types.h", "UPC_OR", Macro),
    upc("upc_types.h", "UPC_XOR", Macro),
    upc("upc_types.h", "UPC_LOGAND", Macro),
    upc("upc_types.h", "UPC_LOGOR", Macro),
    upc("upc_types.h", "UPC_MIN", Macro),
    upc("upc_types.h", "UPC_MAX", Macro),
    upc("upc_types.h", "UPC_CHAR", Macro),
    upc("upc_types.h", "UPC_INT", Macro),
    upc("upc_types.h", "UPC_UINT", Macro),
    upc("upc_types.h", "UPC_LONG", Macro),
    upc("upc_types.h", "UPC_ULONG", Macro),
    upc("upc_types.h", "UPC_INT32", Macro),
    upc("upc_types.h", "UPC_INT64", Macro),
    upc("upc_types.h", "UPC_UINT32", Macro),
    upc("upc_types.h", "UPC_UINT64", Macro),
    upc("upc_types.h", "UPC_FLOAT", Macro),
    upc("upc_types.h", "UPC_DOUBLE", Macro),
    upc("upc_types.h", "UPC_PTS", Macro),
    upc("upc_types.h", "upc_op_t", Type),
    upc("upc_types.h", "upc_type_t", Type),
    upc("upc_types.h", "upc_flag_t", Type),
    upc("upc_collective.h", "UPC_IN_*", Macro),
    upc("upc_collective.h", "UPC_OUT_*", Macro),
    upc("upc_collective.h", "UPC_FUNC", Macro),
    upc("upc_collective.h", "UPC_NONCOMM_FUNC", Macro),
    upc("upc_collective.h", "upc_all_broadcast", Void).collective(),
    upc("upc_collective.h", "upc_all_scatter", Void).collective(),
    upc("upc_collective.h", "upc_all_gather", Void).collective(),
    upc("upc_collective.h", "upc_all_gather_all", Void).collective(),
    upc("upc_collective.h", "upc_all_exchange", Void).collective(),
    upc("upc_collective.h", "upc_all_permute", Void).collective(),
    upc("upc_collective.h", "upc_all_sort", Void).collective(),
    upc("upc_collective.h", "upc_all_reduce*", Void).collective(),
    upc("upc_collective.h", "upc_all_prefix_reduce*", Void).collective(),
    upc("upc_tick.h", "upc_ticks_now", SIZE),
    upc("upc_tick.h", "upc_ticks_to_ns", SIZE),
    upc("upc_tick.h", "UPC_TICK_MAX", Macro),
    upc("upc_tick.h", "UPC_TICK_MIN", Macro),
    upc("upc_tick.h", "upc_tick_t", Type),
    upc("upc_atomic.h", "upc_atomic_strict", Void),
    upc("upc_atomic.h", "upc_atomic_relaxed", Void),
    upc("upc_atomic.h", "upc_atomic_isfast", INT),
    upc("upc_atomic.h", "upc_all_atomicdomain_alloc", Pointer).collective(),
    upc("upc_atomic.h", "upc_all_atomicdomain_free", Void).collective(),
    upc("upc_atomic.h", "UPC_GET", Macro),
    upc("upc_atomic.h", "UPC_SET", Macro),
    upc("upc_atomic.h", "UPC_CSWAP", Macro),
    upc("upc_atomic.h", "UPC_SUB", Macro),
    upc("upc_atomic.h", "UPC_INC", Macro),
    upc("upc_atomic.h", "UPC_DEC", Macro),
    upc("upc_atomic.h", "UPC_ATOMIC_*", Macro),
    upc("upc_atomic.h", "upc_atomicdomain_t", Type),
    upc("upc_atomic.h", "upc_atomichint_t", Type),
    upc("upc_castable.h", "upc_cast", VoidPointer),
    upc("upc_castable.h", "upc_thread_info", Other),
    upc("upc_castable.h", "UPC_CASTABLE_*", Macro),
    upc("upc_castable.h", "upc_thread_info_t", Type),
    upc("upc_io.h", "upc_all_fopen", Pointer).collective(),
    upc("upc_io.h", "upc_all_fclose", INT).collective(),
    upc("upc_io.h", "upc_all_fsync", INT).collective(),
    upc("upc_io.h", "upc_all_fset_size", INT).collective(),
    upc("upc_io.h", "upc_all_fpreallocate", INT).collective(),
    upc("upc_io.h", "upc_all_fcntl", INT).collective(),
    upc("upc_io.h", "upc_all_fseek", LONG).collective(),
    upc("upc_io.h", "upc_all_fget_size", LONG).collective(),
    upc("upc_io.h", "upc_all_fread_local", LONG).collective(),
    upc("upc_io.h", "upc_all_fread_shared", LONG).collective(),
    upc("upc_io.h", "upc_all_fread_list_local", LONG).collective(),
    upc("upc_io.h", "upc_all_fread_list_shared", LONG).collective(),
    upc("upc_io.h", "upc_all_fwrite_local", LONG).collective(),
    upc("upc_io.h", "upc_all_fwrite_shared", LONG).collective(),
    upc("upc_io.h", "upc_all_fwrite_list_local", LONG).collective(),
    upc("upc_io.h", "upc_all_fwrite_list_shared", LONG).collective(),
    upc("upc_io.h", "upc_all_fwait_async", LONG).collective(),
    upc("upc_io.h", "upc_all_ftest_async", LONG).collective(),
    upc("upc_io.h", "upc_all_fread_local_async", Void).collective(),
    upc("upc_io.h", "upc_all_fread_shared_async", Void).collective(),
    upc("upc_io.h", "upc_all_fread_list_local_async", Void).collective(),
    upc("upc_io.h", "upc_all_fread_list_shared_async", Void).collective(),
    upc("upc_io.h", "upc_all_fwrite_local_async", Void).collective(),
    upc("upc_io.h", "upc_all_fwrite_shared_async", Void).collective(),
    upc("upc_io.h", "upc_all_fwrite_list_local_async", Void).collective(),
    upc("upc_io.h", "upc_all_fwrite_list_shared_async", Void).collective(),
    upc("upc_io.h", "UPC_RDONLY", Macro),
    upc("upc_io.h", "UPC_WRONLY", Macro),
    upc("upc_io.h", "UPC_RDWR", Macro),
    upc("upc_io.h", "UPC_INDIVIDUAL_FP", Macro),
    upc("upc_io.h", "UPC_COMMON_FP", Macro),
    upc("upc_io.h", "UPC_APPEND", Macro),
    upc("upc_io.h", "UPC_CREATE", Macro),
    upc("upc_io.h", "UPC_EXCL", Macro),
    upc("upc_io.h", "UPC_STRONG_CA", Macro),
    upc("upc_io.h", "UPC_TRUNC", Macro),
    upc("upc_io.h", "UPC_DELETE_ON_CLOSE", Macro),
    upc("upc_io.h", "UPC_SEEK_*", Macro),
    upc("upc_io.h", "upc_off_t", Type),
    upc("upc_io.h", "upc_file_t", Type),
    upc("upc_io.h", "upc_hint_t", Type),
    upc("upc_io.h", "upc_local_memvec_t", Type),
    upc("upc_io.h", "upc_shared_memvec_t", Type),
    upc("upc_io.h", "upc_filevec_t", Type),
    upc("upc_nb.h", "upc_memcpy_nb", SIZE),
    upc("upc_nb.h", "upc_memget_nb", SIZE),
    upc("upc_nb.h", "upc_memput_nb", SIZE),
    upc("upc_nb.h", "upc_memset_nb", SIZE),
    upc("upc_nb.h", "upc_memcpy_nbi", Void),
    upc("upc_nb.h", "upc_memget_nbi", Void),
    upc("upc_nb.h", "upc_memput_nbi", Void),
    upc("upc_nb.h", "upc_memset_nbi", Void),
    upc("upc_nb.h", "upc_sync", Void),
    upc("upc_nb.h", "upc_synci", Void),
    upc("upc_nb.h", "upc_sync_attempt", INT),
    upc("upc_nb.h", "upc_synci_attempt", INT),
    upc("upc_nb.h", "UPC_COMPLETE_HANDLE", Macro),
    upc("upc_nb.h", "upc_handle_t", Type),
    upc("bupc_extensions.h", "bupc_cast", Pointer),
    upc("bupc_extensions.h", "bupc_inverse_cast", Pointer),
    upc("bupc_extensions.h", "bupc_local_to_shared", Pointer),
    upc("bupc_extensions.h", "bupc_ptradd", Pointer),
    upc("bupc_extensions.h", "bupc_sem_alloc", Pointer),
    upc("bupc_extensions.h", "bupc_handle_t", Type),
    upc("bupc_extensions.h", "bupc_tick_t", Type),
    upc("bupc_extensions.h", "bupc_sem_t", Type),
    upc("bupc_collectivev.h", "bupc_allv_*", Other).collective(),
    upc("bupc_extensions.h", "bupc_*", Other),
    // Split-C's library, for AC too.
    splitc("split-c/split-c.h", "barrier", Void).collective(),
    splitc("split-c/split-c.h", "all_store_sync", Void).collective(),
    splitc("split-c/split-c.h", "sync", Void).syncs(),
    splitc("split-c/split-c.h", "is_sync", INT).syncs(),
    splitc("split-c/split-c.h", "store_sync", Void),
    splitc("split-c/split-c.h", "reset_store_sync", Void),
    splitc("split-c/split-c.h", "spread_free", Void),
    splitc("split-c/split-c.h", "bulk_read", Void).inline("mer_bulk_read", &[Value, Bits, Value], None),
    splitc("split-c/split-c.h", "bulk_write", Void).inline("mer_bulk_write", &[Bits, Value, Value], None),
    splitc("split-c/split-c.h", "bulk_get", Void).inline("mer_bulk_get", &[Value, Bits, Value], None),
    splitc("split-c/split-c.h", "bulk_put", Void).inline("mer_bulk_put", &[Bits, Value, Value], None),
    splitc("split-c/split-c.h", "bulk_store", Void).inline("mer_bulk_store", &[Bits, Value, Value], None),
    splitc("split-c/split-c.h", "all_spread_malloc", Pointer).collective(),
    splitc("split-c/split-c.h", "spread_malloc", Pointer),
    splitc("split-c/split-c.h", "all_spread_free", Void).collective(),
    splitc("split-c/split-c.h", "all_bcast_bulk", Void).collective(),
    splitc("split-c/split-c.h", "all_reduce_to_one_func", Void).collective(),
    splitc("split-c/split-c.h", "all_reduce_to_all_func", Void).collective(),
    splitc("split-c/split-c.h", "all_scan_func", Void).collective(),
    splitc("split-c/split-c.h", "all_bcast", INT).collective(),
    splitc("split-c/split-c.h", "all_bcast_i", INT).collective(),
    splitc("split-c/split-c.h", "all_bcast_u", Int(IntKind::UInt)).collective(),
    splitc("split-c/split-c.h", "all_bcast_l", LONG).collective(),
    splitc("split-c/split-c.h", "all_bcast_f", Float(FloatKind::Float)).collective(),
    splitc("split-c/split-c.h", "all_bcast_d", DOUBLE).collective(),
    splitc("split-c/split-c.h", "all_gather", Void).collective(),
    splitc("split-c/split-c.h", "all_gather_d", Void).collective(),
    splitc("split-c/split-c.h", "all_concat", Void).collective(),
    splitc("split-c/split-c.h", "all_concat_d", Void).collective(),
    splitc("split-c/split-c.h", "all_reduce_to_one_*", Other).collective(),
    splitc("split-c/split-c.h", "all_reduce_to_all_*", Other).collective(),
    splitc("split-c/split-c.h", "all_scan_*", Other).collective(),
    splitc("split-c/split-c.h", "get_seconds", DOUBLE),
    splitc("split-c/split-c.h", "PROCSLOG", Macro),
    splitc("split-c/split-c.h", "fetch_and_add", INT),
    splitc("split-c/split-c.h", "exchange", INT),
    splitc("split-c/split-c.h", "test_and_set", INT),
    splitc("split-c/split-c.h", "cmp_and_swap", INT),
    splitc("split-c/split-c.h", "atomic", INT),
    splitc("split-c/split-c.h", "enqueue", INT),
    splitc("split-c/split-c.h", "dequeue", INT),
    splitc("split-c/split-c.h", "fetch_and_add_l", LONG),
    splitc("split-c/split-c.h", "exchange_l", LONG),
    splitc("split-c/split-c.h", "cmp_and_swap_l", LONG),
    splitc("split-c/split-c.h", "atomic_l", LONG),
    splitc("split-c/split-c.h", "queue_init", Void),
    splitc("split-c/split-c.h", "splitc_queue", Type),
    splitc("split-c/counter.h", "get_ctr", Void),
    splitc("split-c/counter.h", "put_ctr", Void),
    splitc("split-c/counter.h", "sync_ctr", Void),
    splitc("split-c/counter.h", "store_ctr", Void),
    splitc("split-c/counter.h", "store_sync_ctr", Void),
    splitc("split-c/counter.h", "reset_store_ctr", Void),
    splitc("split-c/counter.h", "is_sync_ctr", INT),
    splitc("split-c/counter.h", "all_store_sync_ctr", Void).collective(),
    splitc("split-c/gptr.h", "getCtr", Void),
    splitc("split-c/gptr.h", "putCtr", Void),
    splitc("split-c/gptr.h", "syncCtr", Void),
    splitc("split-c/gptr.h", "storeCtr", Void),
    splitc("split-c/gptr.h", "store_syncCtr", Void),
    splitc("split-c/gptr.h", "all_store_syncCtr", Void).collective(),
    splitc("split-c/gptr.h", "toGlobal", Pointer),
    splitc("split-c/gptr.h", "toProc", INT),
    splitc("split-c/gptr.h", "toLocal", VoidPointer),
    splitc("split-c/gptr.h", "gptr", Type),
    splitc("split-c/am.h", "AM", Macro),
    splitc("split-c/am.h", "AM_reply", Macro),
    splitc("split-c/am.h", "AM_poll", Void),
    splitc("split-c/counter.h", "Ctr", Type),
    splitc("split-c/counter.h", "StCtr", Type),
    splitc("split-c/control.h", "for_my_1d", Macro),
    splitc("split-c/control.h", "for_my_2d", Macro),
    splitc("split-c/control.h", "for_my_1D", Macro),
    splitc("split-c/control.h", "for_my_2D", Macro),
    splitc("split-c/control.h", "on_one", Macro),
    splitc("split-c/control.h", "on_proc", Macro),
];
