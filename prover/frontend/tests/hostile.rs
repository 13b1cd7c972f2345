//! Text that nobody would write is read or refused, without a panic.

use goatherd_frontend::{
    diagnostics::{Colors, render},
    source::{Options, from_text},
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

/// A small generator of numbers, the same ones in every run (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).expect("small")).expect("small")
    }
}

const PIECES: [&str; 76] = [
    "int",
    "char",
    "*",
    "x",
    "y",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "==",
    "?",
    ":",
    "?:",
    "&&",
    "||",
    "1",
    "0x",
    "'a'",
    "\"s\"",
    "L\"s\"",
    "'",
    "\"",
    "\\",
    "\\\n",
    "\n",
    "#",
    "##",
    "\n#define x y\n",
    "\n#define y(a, ...) a ## x #a __VA_ARGS__\n",
    "\n#define z(a) a(\n",
    "\n#undef x\n",
    "z",
    "y(",
    "/*",
    "*/",
    "//",
    "goto",
    "if",
    "else",
    "while",
    "return",
    "struct",
    "typedef",
    "__attribute__",
    "((",
    "))",
    "packed",
    "__extension__",
    "sizeof",
    "...",
    "->",
    "++",
    "@",
    "\u{e9}",
    "\t",
    " ",
    "strlen(",
    "__builtin_strlen(",
    "R\"",
    "u8\"",
    "<%",
    ":>",
    "%:",
    "asm",
    "case",
    "__int128",
    "$",
    "\u{feff}",
    "\r\n",
    "default",
    "for",
];

#[test]
fn random_pieces_are_read_or_refused() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for _ in 0..4_000 {
        let length = 1 + numbers.below(30);
        let text: String = (0..length).map(|_| PIECES[numbers.below(PIECES.len())].to_owned() + ["", " "][numbers.below(2)]).collect();
        match from_text("file.c", &text, &Options::default()) {
            Err(reports) => assert!(!render(&reports, Colors::Never).is_empty()),
            Ok(unit) => {
                assert!(unit.text().is_ascii());
                let lines = u32::try_from(text.lines().count() + 1).expect("small");
                for offset in 0..unit.text().len() {
                    let position = unit.position(offset);
                    assert!(position.file > 0 || position.line <= lines, "{text:?} at {offset}");
                }
                let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
                let _either_way = parse_preprocessed(&config, unit.text().to_owned());
            }
        }
    }
}

/// Every file that is cut short, or has one byte changed, is read or refused.
#[test]
fn damaged_files_are_read_or_refused() {
    let text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct str { char *s; int n_s; };\n/* one */\nvoid test(struct str a)\n{\n    for (int i = 0; i < MAX(a.n_s, 'x'); i++)\n        a.s[i] = \"\\n\"[0] ?: 2;\n}\n";
    let mut numbers = Numbers(88_172_645_463_325_252);
    for cut in 0..text.len() {
        let _either_way = from_text("file.c", &text[..cut], &Options::default());
        let mut bytes = text.as_bytes().to_vec();
        bytes[cut] = u8::try_from(1 + numbers.below(127)).expect("small");
        if let Ok(changed) = String::from_utf8(bytes) {
            let _either_way = from_text("file.c", &changed, &Options::default());
        }
    }
}
