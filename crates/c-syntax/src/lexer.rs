//! Text to tokens.
//!
//! The text comes from a preprocessor: line markers and `#pragma` lines may stand between any two tokens, so
//! they are trivia here like spaces. The `#pragma upc` lines are handed on beside the tokens, each with the
//! number of the token it stands before. The whole text is read at once, so the parser looks ahead freely and
//! knows the partner of each bracket.

use crate::dialect::{Dialect, Group, Language};
use crate::token::{KEYWORDS, Kind, Token};
use base::{Code, Diagnostic, Span, text};

/// The word after `#pragma upc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PragmaKind {
    Strict,
    Relaxed,
    /// Another word, which is not one of the standard's.
    Unknown(String),
}

/// A `#pragma upc` line.
#[derive(Clone, Debug)]
pub(crate) struct Pragma {
    pub span: Span,
    /// Number of the token that follows.
    pub token: usize,
    pub kind: PragmaKind,
    /// More words follow the first one.
    pub more: bool,
}

/// A text's tokens.
pub(crate) struct Lexed {
    /// The last one is [`Kind::Eof`], an empty span at the end of the text.
    pub tokens: Vec<Token>,
    pub pragmas: Vec<Pragma>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads all tokens. Linear in the text; bytes that begin no token are reported and skipped.
pub(crate) fn lex(text: &str, dialect: Dialect) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line_begins: true,
        dialect,
        strays: Vec::new(),
        c_code: vec![false],
        out: Lexed {
            tokens: Vec::with_capacity(text.len() / 5),
            pragmas: Vec::new(),
            diagnostics: Vec::new(),
        },
    };
    while lexer.token() {}
    lexer.out
}

struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    /// Only space has been read since the last newline: a `#` here begins a directive.
    line_begins: bool,
    dialect: Dialect,
    /// Characters outside of ASCII that have been reported.
    strays: Vec<char>,
    /// For this file and each file that includes it: true after `#pragma upc c_code`, which makes UPC's
    /// keywords names.
    c_code: Vec<bool>,
    out: Lexed,
}

fn stray_message(c: char) -> String {
    format!("stray `{c}` (U+{:04X}) in the program", c as u32)
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span_from(&self, lo: usize) -> Span {
        Span::new(lo as u32, self.at as u32)
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.out.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn push(&mut self, kind: Kind, lo: usize) -> bool {
        let span = self.span_from(lo);
        self.out.tokens.push(Token { kind, span });
        true
    }

    /// Reads the next token. At the end, writes `Eof` and returns false.
    fn token(&mut self) -> bool {
        self.trivia();
        let lo = self.at;
        if lo >= self.bytes.len() {
            return !self.push(Kind::Eof, lo);
        }
        self.line_begins = false;
        let b = self.bytes[lo];
        if b.is_ascii_digit() || (b == b'.' && self.byte(1).is_ascii_digit()) {
            return self.number(lo);
        }
        if let Some(prefix) = self.literal_prefix() {
            self.at += prefix.len;
            return match (prefix.raw, prefix.quote) {
                (true, _) => self.raw_string(lo),
                (false, quote) => self.quoted(lo, quote),
            };
        }
        if b >= 0x80 && !self.letter_here() {
            return self.stray_character(lo);
        }
        if is_ident_start(b) || (b == b'\\' && matches!(self.byte(1), b'u' | b'U')) {
            return self.identifier(lo);
        }
        match self.punctuator() {
            Some((kind, len)) => {
                self.at += len;
                self.push(kind, lo)
            }
            None => self.stray(lo),
        }
    }

    /// Reads a byte that begins no token, with the equal bytes that follow.
    fn stray(&mut self, lo: usize) -> bool {
        while self.at < self.bytes.len() && self.bytes[self.at] == self.bytes[lo] {
            self.at += 1;
        }
        let span = self.span_from(lo);
        let shown = match self.bytes[lo] {
            b if b.is_ascii_graphic() => format!("`{}`", char::from(b)),
            b => format!("byte {b:#04x}"),
        };
        self.error(Code::BadByte, span, format!("stray {shown} in the program"));
        true
    }

    /// The character at this place.
    fn char_here(&self) -> char {
        self.text[self.at..].chars().next().unwrap_or('\0')
    }

    /// Whether the character at this place, not of ASCII, may stand in an identifier (C17, annex D).
    fn letter_here(&self) -> bool {
        let c = self.char_here();
        let punctuation =
            matches!(
                c,
                '\u{80}'..='\u{a7}' | '\u{a9}' | '\u{ab}' | '\u{ac}' | '\u{ae}' | '\u{b0}' | '\u{b1}'
            ) || matches!(c, '\u{b6}' | '\u{bb}' | '\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2010}'..='\u{2029}')
                || matches!(c, '\u{2030}'..='\u{203e}' | '\u{3000}'..='\u{3003}' | '\u{feff}');
        !punctuation && !c.is_whitespace() && text::byte(c).is_none()
    }

    /// Reads a character that stands in no token; each is reported once.
    fn stray_character(&mut self, lo: usize) -> bool {
        let c = self.char_here();
        self.at += c.len_utf8();
        let span = self.span_from(lo);
        if self.strays.contains(&c) {
            return true;
        }
        self.strays.push(c);
        let (message, help) = match (text::byte(c), c) {
            (Some(byte), _) => (
                format!("byte {byte:#04x} is not UTF-8"),
                "outside of comments and strings a source is ASCII or UTF-8: convert the file".to_owned(),
            ),
            (None, '\u{201c}' | '\u{201d}' | '\u{201e}') => (stray_message(c), "write `\"`".to_owned()),
            (None, '\u{2018}' | '\u{2019}') => (stray_message(c), "write `'`".to_owned()),
            (None, '\u{2010}'..='\u{2015}') => (stray_message(c), "write `-`".to_owned()),
            (None, c) if c.is_whitespace() || c == '\u{feff}' => (
                format!("U+{:04X}, which looks like a blank, in the program", c as u32),
                "write a blank".to_owned(),
            ),
            (None, _) => (stray_message(c), "leave it out".to_owned()),
        };
        self.out.diagnostics.push(Diagnostic::error(Code::BadByte, span, message).help(help));
        true
    }

    /// Skips space, comments and directives.
    fn trivia(&mut self) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => {
                    self.line_begins = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.byte(1) == b'\n' => self.at += 2,
                b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.at += 3,
                b'#' if self.line_begins => self.directive(),
                b'/' if self.byte(1) == b'/' => self.skip_line(),
                b'/' if self.byte(1) == b'*' => self.comment(),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn comment(&mut self) {
        let lo = self.at;
        match self.text[lo + 2..].find("*/") {
            Some(len) => self.at = lo + 2 + len + 2,
            None => {
                self.at = self.bytes.len();
                let span = Span::new(lo as u32, lo as u32 + 2);
                self.error(Code::Unterminated, span, "this comment is never closed");
            }
        }
    }

    /// Reads a line that begins with `#`: a marker or a pragma. Only markers and `#pragma upc` mean something
    /// here.
    fn directive(&mut self) {
        let lo = self.at;
        self.skip_line();
        let line = &self.text[lo..self.at];
        let mut words = line[1..].split_ascii_whitespace();
        if self.dialect.language != Language::Upc {
            return;
        }
        if words.next() != Some("pragma") {
            self.marker(line);
            return;
        }
        if words.next() != Some("upc") {
            return;
        }
        let kind = match words.next() {
            // Words of the GNU and Berkeley compilers, for headers of C.
            Some(code @ ("c_code" | "upc_code")) => {
                self.set_c_code(code == "c_code");
                return;
            }
            Some("strict") => PragmaKind::Strict,
            Some("relaxed") => PragmaKind::Relaxed,
            other => PragmaKind::Unknown(other.unwrap_or("").to_owned()),
        };
        let span = Span::new(lo as u32, (lo + line.trim_end().len()) as u32);
        let more = words.next().is_some();
        self.out.pragmas.push(Pragma { span, token: self.out.tokens.len(), kind, more });
    }

    fn set_c_code(&mut self, on: bool) {
        if let Some(here) = self.c_code.last_mut() {
            *here = on;
        }
    }

    /// Reads a marker: `# 7 "name" 1` begins an included file, `# 9 "name" 2` returns from one. `c_code` ends
    /// with the file in which it stands.
    fn marker(&mut self, line: &str) {
        let Some((_, flags)) = line.rsplit_once('"') else { return };
        match flags.split_ascii_whitespace().next() {
            Some("1") => self.c_code.push(self.c_code.last().is_some_and(|&on| on)),
            Some("2") if self.c_code.len() > 1 => {
                self.c_code.pop();
            }
            _ => {}
        }
    }

    fn identifier(&mut self, lo: usize) -> bool {
        while self.at < self.bytes.len() {
            let b = self.bytes[self.at];
            if b >= 0x80 {
                if !self.letter_here() {
                    break;
                }
                self.at += self.char_here().len_utf8();
            } else if is_ident(b) {
                self.at += 1;
            } else if b == b'\\' && matches!(self.byte(1), b'u' | b'U') {
                self.at += 2;
            } else {
                break;
            }
        }
        let kind = match KEYWORDS.get(&self.text[lo..self.at]) {
            Some(&(kind, Group::C)) => kind,
            Some(&(kind, Group::Gnu)) if self.dialect.gnu => match kind {
                Kind::AsmBare => Kind::Asm,
                _ => Kind::Typeof,
            },
            Some(&(kind, group)) if self.knows(group) => kind,
            _ => Kind::Ident,
        };
        self.push(kind, lo)
    }

    /// Whether the keywords of a dialect's group are keywords here.
    fn knows(&self, group: Group) -> bool {
        self.dialect.language.row().keywords.contains(&group) && !self.c_code.last().is_some_and(|&on| on)
    }

    fn number(&mut self, lo: usize) -> bool {
        while self.at < self.bytes.len() {
            let b = self.bytes[self.at];
            let exponent = matches!(b, b'e' | b'E' | b'p' | b'P') && matches!(self.byte(1), b'+' | b'-');
            let separator = b == b'\'' && is_ident(self.byte(1)) && self.byte(1) < 0x80;
            match b {
                _ if exponent || separator => self.at += 2,
                b'.' => self.at += 1,
                _ if b >= 0x80 && !self.letter_here() => break,
                _ if b >= 0x80 => self.at += self.char_here().len_utf8(),
                _ if is_ident(b) => self.at += 1,
                _ => break,
            }
        }
        let span = self.span_from(lo);
        if let Err(why) = crate::number::check(&self.text[lo..self.at]) {
            let shown = &self.text[lo..self.at];
            let mut diagnostic =
                Diagnostic::error(Code::BadNumber, span, format!("`{shown}` is not a number"))
                    .label(why.what);
            diagnostic.help = why.help.map(str::to_owned);
            self.out.diagnostics.push(diagnostic);
        }
        self.push(Kind::Number, lo)
    }

    /// The encoding prefix of a string or character constant at this place, if one begins here.
    fn literal_prefix(&self) -> Option<Prefix> {
        let rest = &self.bytes[self.at..];
        let encoding = match rest {
            [b'u', b'8', ..] => 2,
            [b'L' | b'u' | b'U', ..] => 1,
            _ => 0,
        };
        for len in [encoding, 0] {
            match &rest[len..] {
                [quote @ (b'"' | b'\''), ..] => return Some(Prefix { len, raw: false, quote: *quote }),
                [b'R', b'"', ..] if self.dialect.gnu => {
                    return Some(Prefix { len: len + 1, raw: true, quote: b'"' });
                }
                _ => {}
            }
        }
        None
    }

    /// A string or character constant whose opening quote is next.
    fn quoted(&mut self, lo: usize, quote: u8) -> bool {
        let kind = if quote == b'"' { Kind::Str } else { Kind::Char };
        self.at += 1;
        let body = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(&b) if b == quote => break,
                Some(b'\\') if self.at + 1 < self.bytes.len() => {
                    let crlf = self.byte(1) == b'\r' && self.byte(2) == b'\n';
                    self.at += if crlf { 3 } else { 2 };
                    // The byte after the backslash may be the first of several.
                    while !self.text.is_char_boundary(self.at) {
                        self.at += 1;
                    }
                }
                Some(b'\n') | None => return self.unterminated(lo, kind),
                Some(_) => self.at += 1,
            }
        }
        let empty = self.at == body;
        self.at += 1;
        if kind == Kind::Char && empty {
            let span = self.span_from(lo);
            self.error(Code::Unterminated, span, "empty character constant");
        }
        self.push(kind, lo)
    }

    fn unterminated(&mut self, lo: usize, kind: Kind) -> bool {
        let span = self.span_from(lo);
        let quote = if kind == Kind::Str { '"' } else { '\'' };
        let message = format!("this {} is not closed on its line", kind.text());
        let help = if kind == Kind::Str && self.closes_on_a_later_line() {
            "a string ends on its line: close it there and open it again on the next, `\"a\\n\"`, `\"b\\n\"`"
                .into()
        } else {
            format!("add the missing `{quote}`")
        };
        self.out.diagnostics.push(Diagnostic::error(Code::Unterminated, span, message).help(help));
        self.push(kind, lo)
    }

    /// Whether the string literal that ends here, at the end of its line, goes on: one of the next lines has
    /// an odd number of quotes.
    fn closes_on_a_later_line(&self) -> bool {
        let lines = self.text[self.at..].lines().skip(1).take(40);
        let mut odd = lines.map(|line| line.replace("\\\"", "").matches('"').count() % 2 == 1);
        odd.any(|odd| odd)
    }

    /// GNU C's raw string `R"x(…)x"`, whose opening quote is next.
    fn raw_string(&mut self, lo: usize) -> bool {
        let open = self.at + 1;
        let delimiter = self.text[open..].find('(').filter(|&n| {
            n <= 16
                && !self.bytes[open..open + n]
                    .iter()
                    .any(|&b| matches!(b, b' ' | b'\n' | b'"' | b'\\' | b')'))
        });
        let Some(n) = delimiter else { return self.quoted(lo, b'"') };
        let close = format!("){}\"", &self.text[open..open + n]);
        match self.text[open + n..].find(&close) {
            Some(len) => {
                self.at = open + n + len + close.len();
                self.push(Kind::Str, lo)
            }
            None => {
                self.at = open + n;
                self.unterminated(lo, Kind::Str)
            }
        }
    }

    fn punctuator(&self) -> Option<(Kind, usize)> {
        use Kind::*;
        let (b, c, d) = (self.byte(0), self.byte(1), self.byte(2));
        Some(match (b, c, d) {
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'<', b'<', b'=') => (ShlEq, 3),
            (b'>', b'>', b'=') => (ShrEq, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'+', b'+', _) => (Inc, 2),
            (b'-', b'-', _) => (Dec, 2),
            (b'<', b'<', _) => (Shl, 2),
            (b'>', b'>', _) => (Shr, 2),
            (b'<', b'=', _) => (Le, 2),
            (b'>', b'=', _) => (Ge, 2),
            (b'=', b'=', _) => (EqEq, 2),
            (b'!', b'=', _) => (Ne, 2),
            (b'&', b'&', _) => (AndAnd, 2),
            (b'|', b'|', _) => (OrOr, 2),
            (b'*', b'=', _) => (StarEq, 2),
            (b'/', b'=', _) => (SlashEq, 2),
            (b'%', b'=', _) => (PercentEq, 2),
            (b'+', b'=', _) => (PlusEq, 2),
            (b'-', b'=', _) => (MinusEq, 2),
            (b'&', b'=', _) => (AmpEq, 2),
            (b'^', b'=', _) => (CaretEq, 2),
            (b'|', b'=', _) => (PipeEq, 2),
            // digraphs
            (b'<', b':', _) => (LBracket, 2),
            (b':', b'>', _) => (RBracket, 2),
            (b'<', b'%', _) => (LBrace, 2),
            (b'%', b'>', _) => (RBrace, 2),
            _ => (single(b)?, 1),
        })
    }
}

struct Prefix {
    /// Bytes before the opening quote.
    len: usize,
    raw: bool,
    quote: u8,
}

fn single(b: u8) -> Option<Kind> {
    use Kind::*;
    Some(match b {
        b'(' => LParen,
        b')' => RParen,
        b'[' => LBracket,
        b']' => RBracket,
        b'{' => LBrace,
        b'}' => RBrace,
        b'.' => Dot,
        b'&' => Amp,
        b'*' => Star,
        b'+' => Plus,
        b'-' => Minus,
        b'~' => Tilde,
        b'!' => Bang,
        b'/' => Slash,
        b'%' => Percent,
        b'<' => Lt,
        b'>' => Gt,
        b'^' => Caret,
        b'|' => Pipe,
        b'?' => Question,
        b':' => Colon,
        b';' => Semi,
        b'=' => Eq,
        b',' => Comma,
        _ => return None,
    })
}
