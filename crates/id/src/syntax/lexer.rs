//! Makes tokens from the text of an Id program (docs/id90.md, "Words").
//!
//! Names are the longest runs of letters, digits, `_`, `?` and `'`; a run of the form of a number is a
//! number. Letter case does not count, so a token's word is in lower case; the spelling stays in the text.
//! Line markers, by which several files come as one text, are skipped.

use base::{Code, Diagnostic, Source, Span};

/// The kind and the value of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    /// A name or keyword, in lower case.
    Word(String),
    /// A whole number.
    Int(i64),
    /// A number with a point or an exponent.
    Float(f64),
    /// The bytes of a string, escapes replaced.
    Str(Vec<u8>),
    /// The byte of a character.
    Char(u8),
    /// An operator or a bracket.
    Op(&'static str),
    /// The end of the text.
    End,
}

/// A token and its position.
#[derive(Clone, Debug)]
pub struct Token {
    /// The kind and the value.
    pub tok: Tok,
    /// The bytes of the token.
    pub span: Span,
    /// The token stands at the beginning of its line.
    pub begins_line: bool,
    /// The token begins with a capital letter.
    pub capital: bool,
}

/// Words that are no names.
pub const KEYWORDS: &[&str] = &[
    "def",
    "defsubst",
    "type",
    "typeof",
    "call",
    "if",
    "then",
    "else",
    "case",
    "for",
    "while",
    "do",
    "next",
    "finally",
    "to",
    "downto",
    "accumulate",
    "when",
    "and",
    "or",
    "in",
    "fun",
];

/// The operators and brackets, each before those with which it begins.
const OPERATORS: &[&str] = &[
    ":#:", "{:", ":#", "#:", "++", "==", "<>", "<=", ">=", "<-", "->", "||", "!!", "..", "+", "-", "*", "/",
    "^", "<", ">", "=", ":", ";", ",", "(", ")", "[", "]", "{", "}", "|", "&", "!", ".", "@",
];

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'?' | b'\'')
}

/// The tokens, an [`Tok::End`] last. Bytes that begin no token are reported and left out.
pub fn lex(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text: source.text.as_bytes(), at: 0, tokens: Vec::new(), said: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.said)
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    said: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span_from(&self, lo: usize) -> Span {
        Span::new(lo as u32, self.at as u32)
    }

    fn push(&mut self, tok: Tok, lo: usize) {
        let span = self.span_from(lo);
        let begins_line = lo == 0 || self.text[lo - 1] == b'\n';
        let capital = self.text.get(lo).is_some_and(u8::is_ascii_uppercase);
        self.tokens.push(Token { tok, span, begins_line, capital });
    }

    fn error(&mut self, code: Code, lo: usize, text: String) {
        self.said.push(Diagnostic::error(code, self.span_from(lo), text));
    }

    fn run(&mut self) {
        let mut line_begins = true;
        while self.at < self.text.len() {
            let (b, lo) = (self.peek(0), self.at);
            let begins = std::mem::replace(&mut line_begins, b == b'\n');
            match b {
                b'\n' | b' ' | b'\t' | b'\r' | 12 => self.at += 1,
                b'%' => self.skip_line(),
                b'#' if begins && matches!(self.peek(1), b' ' | b'l') => self.skip_line(),
                b'"' => self.string(),
                b'\'' => self.character(),
                b'.' if self.peek(1).is_ascii_digit() => self.fraction(lo),
                _ if is_word(b) => self.word(),
                b'-' if self.peek(1) == b'-' && self.peek(2) == b'-' => {
                    while self.peek(0) == b'-' {
                        self.at += 1;
                    }
                    self.push(Tok::Op("---"), lo);
                }
                _ => self.operator(),
            }
        }
        self.push(Tok::End, self.at);
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    fn operator(&mut self) {
        let (rest, lo) = (&self.text[self.at..], self.at);
        if rest.starts_with(b":#:#") || rest.starts_with(b"#:#") {
            self.at += if rest[0] == b':' { 4 } else { 3 };
            return self.push(Tok::Op("#:#"), lo);
        }
        if let Some(op) = OPERATORS.iter().find(|op| rest.starts_with(op.as_bytes())) {
            self.at += op.len();
            return self.push(Tok::Op(op), lo);
        }
        let shown = String::from_utf8_lossy(rest).chars().next().unwrap_or('?');
        self.at += shown.len_utf8().min(rest.len());
        self.error(Code::IdBadToken, lo, format!("`{shown}` begins no token of Id"));
    }

    fn word(&mut self) {
        let lo = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let run = std::str::from_utf8(&self.text[lo..self.at]).unwrap_or("");
        if run.bytes().all(|b| b.is_ascii_digit()) {
            if self.peek(0) == b'.' && self.peek(1) != b'.' {
                return self.fraction(lo);
            }
            return match run.parse() {
                Ok(value) => self.push(Tok::Int(value), lo),
                Err(_) => {
                    self.error(Code::IdBadToken, lo, format!("`{run}` is too large for an int, of 64 bits"))
                }
            };
        }
        let exponent = |run: &str| {
            let (digits, rest) = run.split_once(['e', 'E'])?;
            let ok = !digits.is_empty() && digits.bytes().chain(rest.bytes()).all(|b| b.is_ascii_digit());
            ok.then_some(rest.is_empty())
        };
        let signed = matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit();
        match exponent(run) {
            Some(open) if !open || signed => {
                if open {
                    self.at += 1;
                    while self.peek(0).is_ascii_digit() {
                        self.at += 1;
                    }
                }
                let text = std::str::from_utf8(&self.text[lo..self.at]).unwrap_or("");
                let value = text.parse().unwrap_or(f64::INFINITY);
                self.push(Tok::Float(value), lo);
            }
            _ => {
                let word = run.to_ascii_lowercase();
                self.push(Tok::Word(word), lo);
            }
        }
    }

    /// A number whose point is at `self.at`.
    fn fraction(&mut self, lo: usize) {
        self.at += 1;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                while self.peek(0).is_ascii_digit() {
                    self.at += 1;
                }
            }
        }
        let run = std::str::from_utf8(&self.text[lo..self.at]).unwrap_or("0");
        let value = run.parse().unwrap_or(0.0);
        self.push(Tok::Float(value), lo);
    }

    /// The byte after a backslash, which is at `self.at`.
    fn escape(&mut self) -> u8 {
        self.at += 1;
        let b = self.peek(0);
        self.at += 1;
        match b {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'x' => self.digits(16, 2),
            b'0'..=b'7' => {
                self.at -= 1;
                self.digits(8, 3)
            }
            b'\\' | b'"' | b'\'' | b'?' => b,
            _ => {
                let lo = self.at - 2;
                self.error(Code::IdBadToken, lo, "unknown escape; Id has the escapes of C".into());
                b
            }
        }
    }

    fn digits(&mut self, radix: u32, most: usize) -> u8 {
        let mut value = 0u32;
        for _ in 0..most {
            let Some(digit) = char::from(self.peek(0)).to_digit(radix) else { break };
            value = value * radix + digit;
            self.at += 1;
        }
        value as u8
    }

    fn string(&mut self) {
        let lo = self.at;
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => break,
                b'\n' => {
                    return self.error(Code::IdBadToken, lo, "the string does not end on its line".into());
                }
                0 if self.at >= self.text.len() => {
                    return self.error(Code::IdBadToken, lo, "the string does not end".into());
                }
                b'\\' => {
                    let b = self.escape();
                    bytes.push(b);
                }
                b => {
                    bytes.push(b);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        self.push(Tok::Str(bytes), lo);
    }

    fn character(&mut self) {
        let lo = self.at;
        self.at += 1;
        let value = match self.peek(0) {
            b'\\' => self.escape(),
            b'\n' => 0,
            b => {
                self.at += 1;
                b
            }
        };
        if self.peek(0) == b'\'' {
            self.at += 1;
            self.push(Tok::Char(value), lo);
        } else {
            self.error(
                Code::IdBadToken,
                lo,
                "a character stands between two quotes, as in 'a' or '\\n'".into(),
            );
        }
    }
}
