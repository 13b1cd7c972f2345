//! The system's headers, preprocessed and rewritten, are text that the parser reads.

use goatherd_frontend::{
    diagnostics::{Colors, render},
    source::{Options, Unit, from_text},
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

const HEADERS: [&str; 17] = [
    "assert.h",
    "ctype.h",
    "errno.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "signal.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "wchar.h",
];

fn unit(text: &str) -> Unit {
    from_text("test.c", text, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)))
}

fn parse(unit: &Unit) {
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    if let Err(error) = parse_preprocessed(&config, unit.text().to_owned()) {
        let position = unit.position(error.offset);
        let start = error.offset.saturating_sub(200);
        let file = &unit.files()[usize::try_from(position.file).expect("small")];
        panic!(
            "{file}:{}:{}: ... {}<HERE>{}",
            position.line,
            position.column,
            &unit.text()[start..error.offset],
            &unit.text()[error.offset..][..40]
        );
    }
}

#[test]
fn every_header_parses() {
    for header in HEADERS {
        parse(&unit(&format!("#include <{header}>\nint test(void) {{ return 0; }}\n")));
    }
}

#[test]
fn every_header_parses_with_all_extensions() {
    for header in HEADERS.iter().chain(&["strings.h", "unistd.h", "pthread.h", "search.h", "sys/types.h", "sys/stat.h"]) {
        parse(&unit(&format!("#define _GNU_SOURCE\n#include <{header}>\nint test(void) {{ return 0; }}\n")));
    }
}
