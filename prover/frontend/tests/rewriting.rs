//! What is rewritten means the same, and the parser reads it.

use goatherd_frontend::{
    diagnostics::{Colors, render},
    source::{Options, Unit, from_text},
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};

fn unit(text: &str) -> Unit {
    let unit = from_text("file.c", text, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    if let Err(error) = parse_preprocessed(&config, unit.text().to_owned()) {
        panic!("{text}\n{}", &unit.text()[error.offset..]);
    }
    unit
}

fn rewritten(text: &str) -> String {
    unit(text).text().trim_end().to_owned()
}

#[test]
fn the_short_conditional_gets_its_second_operand() {
    assert_eq!(rewritten("int x = a ?: b;"), "int x = a ? __condition : b ;");
    assert_eq!(
        rewritten("int x = f(y, g() ? : 2) ?: b ?: c;"),
        "int x = f ( y , g ( ) ? __condition : 2 ) ? __condition : b ? __condition : c ;"
    );
}

#[test]
fn functions_without_a_type_return_int() {
    assert_eq!(rewritten("main() { return 0; }"), "int main ( ) { return 0 ; }");
    assert_eq!(rewritten("static f(a) char *a; { return *a; } g(void) { }"), {
        "static int f ( a ) char * a ; { return * a ; } int g ( void ) { }"
    });
}

#[test]
fn alignments_become_attributes() {
    assert_eq!(rewritten("struct s { char c; _Alignas(8) char d; };"), "struct s { char c ; __attribute__ ((__aligned__(8))) char d ; } ;");
    assert_eq!(rewritten("_Alignas(unsigned long) int x;"), "__attribute__ ((__aligned__(_Alignof(unsigned long)))) int x ;");
}

#[test]
fn alignments_of_expressions_are_those_of_types() {
    assert_eq!(
        rewritten("int x = __alignof__(y) + __alignof y;"),
        "int x = _Alignof ( __typeof__ ( y ) ) + _Alignof ( __typeof__ ( y ) ) ;"
    );
    assert_eq!(
        rewritten("int x = f(__alignof__((z[_Alignof(long)])), 1);"),
        rewritten("int x = f(_Alignof(__typeof__((z[_Alignof(long)]))), 1);")
    );
    assert_eq!(rewritten("typedef int T; int x = __alignof__(T[2]);"), "typedef int T ; int x = __alignof__ ( T [ 2 ] ) ;");
}

#[test]
fn empty_compound_literals_are_told_from_bodies() {
    assert_eq!(rewritten("struct s x = (struct s){};"), "struct s x = ( struct s ) { __nothing } ;");
    assert_eq!(rewritten("void f(void) {}"), "void f ( void ) { }");
    let body = "void f(void) { if (x) {} while (y) {} for (;;) {} switch (z) {} return (struct s){}; }";
    assert_eq!(rewritten(body).matches("__nothing").count(), 1);
    assert_eq!(rewritten("int (*f(void))(int (x)) {} int a[] = { g((struct s) {}, 1) };").matches("__nothing").count(), 1);
}

#[test]
fn attributes_that_are_advice_go() {
    assert_eq!(
        rewritten("static inline __attribute__((always_inline, hot)) int f(char *p) { return *p; }"),
        rewritten("static inline int f(char *p) { return *p; }")
    );
    assert_eq!(
        rewritten("int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); default: return x; } }"),
        rewritten("int f(int x) { switch (x) { case 1: x++; ; default: return x; } }")
    );
    assert_eq!(rewritten("int x __attribute__ (());"), "int x ;");
}

#[test]
fn attributes_that_are_judged_stay() {
    assert_eq!(
        rewritten("struct s { char a; int b; } __attribute__((packed));"),
        "struct s { char a ; int b ; } __attribute__ ((__packed__)) ;"
    );
    assert_eq!(
        rewritten("int x __attribute__((unused, __aligned__(__alignof__(long long))));"),
        "int x __attribute__ ((__aligned__( __alignof__ ( long long ) ))) ;"
    );
    assert_eq!(
        rewritten("struct __attribute__((packed)) s { char a; int b; };"),
        rewritten("struct s { char a; int b; } __attribute__((packed));")
    );
}

#[test]
fn spellings_of_keywords_are_unified() {
    assert_eq!(
        rewritten("__extension__ typeof(1) x; __thread __signed__ char y;"),
        "__typeof__ ( 1 ) x ; _Thread_local __signed__ char y ;"
    );
    assert_eq!(
        rewritten("void f(void) <% int a<:2:>; a<:0:> = 1; asm(\"nop\"); %>"),
        rewritten("void f(void) { int a[2]; a[0] = 1; __asm__(\"nop\"); }")
    );
}

#[test]
fn semicolons_alone_go() {
    assert_eq!(
        rewritten(";;int f(void) { return 0; };; int *p = &(int) { 1 }; struct s { int a; };"),
        "int f ( void ) { return 0 ; } int * p = & ( int ) { 1 } ; struct s { int a ; } ;"
    );
}

#[test]
fn declarations_of_headers_that_cannot_be_read_go() {
    let text = unit("#include <asm/types.h>\n#include <linux/types.h>\n__u64 x;\n");
    assert!(text.text().contains("__u64 x"));
    assert!(!text.text().contains("__int128"));
}

#[test]
fn packing_becomes_an_attribute() {
    let packed = "struct s { char a ; int b ; } __attribute__ ((__pragma_pack__(1))) ;";
    assert_eq!(rewritten("#pragma pack(1)\nstruct s { char a; int b; };\n"), packed);
    // A header brings and takes its own.
    let text =
        unit("#include <stddef.h>\n#pragma pack(push, 1)\nstruct s { char a; int b; };\n#pragma pack(pop)\nstruct t { char a; int b; };\n");
    assert!(text.text().replace('\n', " ").ends_with(&format!("{packed} struct t {{ char a ; int b ; }} ; ")));
    assert_eq!(rewritten("#pragma once\n#pragma GCC diagnostic push\nint x;\n"), "int x ;");
}
