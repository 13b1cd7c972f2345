//! What verdicts are under, whatever the program (`spec/program.md`): the machine, and what the standard leaves to compilers.

use super::claims::{Claim, Says, Site};
use goatherd_certificates::program::IntegerType;

/// Constant expressions, and their values.
const VALUES: [(&str, i128); 27] = [
    ("__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__", 1),
    ("__CHAR_BIT__", 8),
    ("(char)-1 < 0", 1),
    ("sizeof(_Bool)", 1),
    ("sizeof(short)", 2),
    ("sizeof(int)", 4),
    ("sizeof(long)", 8),
    ("sizeof(long long)", 8),
    ("sizeof(void *)", 8),
    ("sizeof(void (*)(void))", 8),
    ("sizeof(float)", 4),
    ("sizeof(double)", 8),
    ("sizeof(long double)", 16),
    ("_Alignof(short)", 2),
    ("_Alignof(int)", 4),
    ("_Alignof(long)", 8),
    ("_Alignof(long long)", 8),
    ("_Alignof(void *)", 8),
    // Conversions to signed types wrap, and so does the shift of what is negative.
    ("(signed char)200", -56),
    ("(int)4294967295U", -1),
    ("-5 / 2", -2),
    ("-5 % 2", -1),
    ("-5 >> 1", -3),
    ("~0", -1),
    ("'\\xff'", -1),
    ("(enum { goatherd_a })-1 > 0", 1),
    ("(enum { goatherd_b = -1 })-1 < 0", 1),
];

/// Constant expressions, and the names of their types.
const TYPES: [(&str, &str); 7] = [
    ("sizeof(int)", "unsigned long"),
    ("(char *)0 - (char *)0", "long"),
    ("'a'", "int"),
    ("L'a'", "int"),
    ("u'a'", "unsigned short"),
    ("U'a'", "unsigned int"),
    ("(enum { goatherd_c })0", "unsigned int"),
];

/// All of them.
pub(super) fn claims() -> Vec<Claim> {
    let claim =
        |subject: String, value| Claim { site: Site::First, position: None, subject, says: Says::Value { value, kind: IntegerType::I64 } };
    let values = VALUES.iter().map(|(subject, value)| claim(format!("({subject})"), *value));
    let types = TYPES.iter().map(|(subject, name)| claim(format!("__builtin_types_compatible_p(__typeof__({subject}), {name})"), 1));
    values.chain(types).collect()
}
