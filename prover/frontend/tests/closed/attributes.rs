//! Attributes where the parser does not keep them.

use super::{holds, outcome, refused};

#[test]
fn no_attribute_gets_lost() {
    let unnamed = |members: &str| format!("struct s {{ unsigned a : 20{members}; unsigned c : 4; }};");
    let message = |column: usize| format!("1:{column}: unsupported: an attribute in this place");
    refused(&unnamed("; int : 20 __attribute__((packed))"), "", &message(53));
    refused(&unnamed("; int : 20 __attribute__((aligned(8)))"), "", &message(53));
    refused(&unnamed("; int : 0 __attribute__((aligned(8)))"), "", &message(52));
    refused(&unnamed(", : 20 __attribute__((packed)), b : 4"), "", &message(49));
    refused(&unnamed("; int : 20 __attribute__((unused, packed))"), "", &message(61));
    // What stands in a string is none, and what changes nothing may stand there.
    let text = format!("{} void test(void) {{ \"((__packed__))\"; }}", unnamed("; int : 20 __attribute__((unused))"));
    assert!(outcome(&text).starts_with('['), "{}", outcome(&text));
    // Before the bit-field they are read.
    holds(&unnamed("; __attribute__((packed)) int : 20"), "sizeof(struct s) == 8");
    holds("struct s { char a; __attribute__((packed)) int : 20; char b; };", "__builtin_offsetof(struct s, b) == 4");
}
