//! Which models calls of library functions become, and what of them is refused.

use goatherd_certificates::program::Instruction;
use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::{Lowered, lower},
    source::{Options, from_text},
};

const DECLARATIONS: &str = "typedef unsigned long size_t; void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);\n\
    int memcmp(const void *, const void *, size_t); void *malloc(size_t); void *realloc(void *, size_t); void free(void *);\n\
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
    static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
    int printf(const char *, ...); int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int puts(const char *);\n\
    int *__errno_location(void); typedef struct FILE FILE; extern FILE *stderr; int fprintf(FILE *, const char *, ...); long strtol(const char *, char **, int);\n\
    struct s { int n; char *p; } x, y; int a[4], b[4], *p; long l[2]; char c[16]; unsigned u[4]; size_t n;\n";

fn lowered(body: &str) -> Result<Lowered, String> {
    let text = format!("{DECLARATIONS}void test(void) {{ {body} }}\n");
    let unit = from_text("f.c", &text, &Options::default()).map_err(|reports| render(&reports, Colors::Never))?;
    let outcome = lower(&unit, "test");
    outcome.map_err(|diagnostics| render(&reports(&unit, &diagnostics), Colors::Never).lines().next().unwrap_or_default().to_owned())
}

/// The models from which instructions come.
fn models(body: &str) -> Vec<String> {
    let lowered = lowered(body).unwrap_or_else(|message| panic!("{body}: {message}"));
    let files = lowered.files.iter().enumerate().filter(|(number, name)| {
        let here = lowered.positions.iter().any(|position| position.file as usize == *number);
        here && name.starts_with("<model ")
    });
    files.map(|(_, name)| name.trim_start_matches("<model ").trim_end_matches('>').to_owned()).collect()
}

fn refused(body: &str, expected: &str) {
    assert_eq!(lowered(body).expect_err(body), format!("f.c:{expected}"));
}

#[test]
fn memory_is_copied_as_what_it_is() {
    for body in [
        "memcpy(a, b, sizeof a);",
        "memcpy(a, u, 4);",
        "memcpy(&x, &y, sizeof x);",
        "memcpy(a, b, n * sizeof *a);",
        "memcpy(a, b, 8 * n);",
        "p = malloc(16); memcpy(p, a, 0);",
        "memcpy(malloc(16), a, 16);",
    ] {
        assert_eq!(models(body), ["memcpy of elements"], "{body}");
    }
    assert_eq!(models("memset(&x, 0, sizeof x);"), ["memset of elements"]);
    assert_eq!(models("memset(a, -1, sizeof a);"), ["memset of elements"]);
    assert_eq!(models("(void)memcmp(a, b, sizeof a);"), ["memcmp of elements"]);
    // Parts of elements, bytes, other types, padding, pointers.
    for body in
        ["memcpy(a, b, 6);", "memcpy(a, b, n);", "memcpy(a, b, 6 * n);", "memcpy(a, l, 16);", "memcpy(c, a, 16);", "memcpy(c, c + 8, 8);"]
    {
        assert_eq!(models(body), ["memcpy"], "{body}");
    }
    assert_eq!(models("memset(&x, 1, sizeof x);"), ["memset"]);
    assert_eq!(models("(void)memcmp(&x, &y, sizeof x);"), ["memcmp"]);
}

#[test]
fn arrays_are_sorted_by_elements_of_their_type() {
    assert_eq!(models("qsort(a, 4, sizeof *a, compare);"), ["qsort of elements"]);
    let size = "unsupported: a 'qsort' of elements whose size is not that of the array's type";
    refused("qsort(a, 4, 8, compare);", &format!("8:19: {size}"));
    refused("qsort(a, 4, n, compare);", &format!("8:19: {size}"));
    refused("qsort((void *)a, 4, sizeof *a, compare);", &format!("8:19: {size}"));
}

/// The first allocation is of `int`, since the second one is what it becomes.
#[test]
fn reallocation_ends_an_allocation() {
    let program = format!("{:?}", lowered("p = malloc(4); p = realloc(p, n); free(p);").expect("it is lowered").program);
    assert_eq!(program.matches("Allocate {").count(), 2);
    assert!(program.matches("Free {").count() >= 3, "{program}");
}

#[test]
fn formats_say_which_arguments_are_read() {
    for body in [
        "printf(\"%d %5u%% %-3ld %#lx %hhd %c %p\", 1, 2u, 3l, 4ul, 5, 'x', (void *)p);",
        "fprintf(stderr, \"%*d %.*d\", 4, 5, 6, 7);",
        "printf(\"%zu %jd\", n, 1l);",
    ] {
        assert!(models(body).is_empty(), "{body}");
    }
    assert_eq!(models("printf(\"%s %.3s\", c, c);"), ["printf"]);
    assert_eq!(models("sprintf(c, \"%d\", a[0]);"), ["printf"]);
    for (body, expected) in [
        ("printf(c);", "8:26: unsupported: a format that is no string literal"),
        ("printf(\"%d\");", "8:26: error: the format wants more arguments"),
        ("printf(\"%d\", 1l);", "8:26: error: an argument is not of the type that the format wants"),
        ("printf(\"%ld\", 1);", "8:26: error: an argument is not of the type that the format wants"),
        ("printf(\"%s\", p);", "8:26: error: an argument is not of the type that the format wants"),
        ("printf(\"%*d\", 1l, 2);", "8:26: error: an argument is not of the type that the format wants"),
        ("printf(\"%n\", p);", "8:26: unsupported: a conversion in a format that is not known"),
        ("printf(\"%f\", 1);", "8:26: unsupported: floating point in a format"),
        ("printf(\"%\");", "8:26: unsupported: a conversion in a format that is not known"),
        ("printf(\"%+u\", 1u);", "8:26: unsupported: a flag in a format that does not go with its conversion"),
        ("snprintf(c, 4, \"%p\", (void *)c);", "8:34: unsupported: a pointer, or a width that is an argument, in a format for an array"),
    ] {
        refused(body, expected);
    }
}

/// Two changes of one variable among the arguments are undefined, as in any call.
#[test]
fn functions_of_the_library_are_known_as_the_compilers_too() {
    assert_eq!(models("__builtin_printf(\"%s\", c);"), models("printf(\"%s\", c);"));
    assert_eq!(models("__builtin_sprintf(c, \"%d\", a[0]);"), models("sprintf(c, \"%d\", a[0]);"));
    assert_eq!(models("a[0] = __builtin_ffs(a[1]);"), ["ffs"]);
    refused("__builtin_printf(c);", "8:36: unsupported: a format that is no string literal");
    let own = "int printf(const char *f, ...) { return 1; } void test(void) { __builtin_printf(\"\"); }";
    let unit = from_text("f.c", own, &Options::default()).unwrap_or_else(|reports| panic!("{}", render(&reports, Colors::Never)));
    let diagnostics = lower(&unit, "test").expect_err("it is refused");
    assert_eq!(diagnostics[0].message, "a call of '__builtin_printf' in a program that defines 'printf' itself");
}

#[test]
fn fetching_in_advance_reads_nothing() {
    let instructions = |body: &str| lowered(body).expect("it is supported").program.instructions;
    let loads = |body: &str| instructions(body).iter().filter(|instruction| matches!(instruction, Instruction::Load { .. })).count();
    assert_eq!(loads("int *q = a; __builtin_prefetch(q + 100, 0, 3);"), 0);
    assert_eq!(loads("struct s *q = &x; __builtin_prefetch(q->p);"), 1);
    assert!(lowered("__builtin_prefetch(a, a[0]);").is_err());
    assert!(instructions("int *q; __builtin_prefetch(q);").iter().any(|instruction| matches!(instruction, Instruction::Branch(_))));
}

#[test]
fn arguments_of_formats_are_unsequenced() {
    let program = format!("{:?}", lowered("int i = 0; printf(\"%d %d\", i++, i++);").expect("it is lowered").program);
    assert!(program.contains("Fail { kind: Unreachable }"), "{program}");
}

#[test]
fn checked_arithmetic_is_exact() {
    for body in [
        "int r; __builtin_add_overflow(a[0], 1, &r);",
        "size_t r; __builtin_mul_overflow(n, 8, &r);",
        "short r; __builtin_sub_overflow(l[0], a[0], &r);",
    ] {
        assert_eq!(models(body), ["overflow"], "{body}");
    }
    refused("long r; __builtin_add_overflow(n, -1, &r);", "8:27: unsupported: checked arithmetic on operands of these types");
    refused("_Bool r; __builtin_add_overflow(1, 1, &r);", "8:28: error: checked arithmetic with a result that is no integer");

    let directory = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("overflow");
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut text = String::from("#include <stdlib.h>\n");
    for (name, element) in [("i", "int"), ("u", "unsigned"), ("l", "long"), ("b", "unsigned char"), ("ul", "unsigned long")] {
        let model = include_str!("../src/models/overflow.c").replace("typedef char __element;", "");
        text += &model.replace("__element", element).replace("__overflow_", &format!("{name}_"));
    }
    text += r"
#define TRY(T, LEFT, RIGHT, MODEL, BUILTIN) do { \
    T one, two; \
    if (MODEL(LEFT, RIGHT, &one) != BUILTIN(LEFT, RIGHT, &two) || one != two) abort(); \
} while (0)
#define SIGNED(T, NAME) TRY(T, a, b, NAME##_add_signed, __builtin_add_overflow); \
    TRY(T, a, b, NAME##_sub_signed, __builtin_sub_overflow); TRY(T, a, b, NAME##_mul_signed, __builtin_mul_overflow)
#define UNSIGNED(T, NAME) TRY(T, x, y, NAME##_add_unsigned, __builtin_add_overflow); TRY(T, x, y, NAME##_mul_unsigned, __builtin_mul_overflow)
static const long values[] = { 0, 1, -1, 2, -2, 127, 255, 256, -128, -129, 65536, 2147483647, 2147483648, -2147483648, -2147483649, 4294967295,
    4294967296, 3037000500, 4611686018427387904, -4611686018427387904, 9223372036854775807, -9223372036854775807, -9223372036854775807 - 1 };
int main(void)
{
    for (unsigned i = 0; i < sizeof values / 8; i++)
        for (unsigned j = 0; j < sizeof values / 8; j++) {
            long a = values[i], b = values[j];
            unsigned long x = a, y = b;
            SIGNED(int, i); SIGNED(unsigned, u); SIGNED(long, l); SIGNED(unsigned char, b);
            UNSIGNED(int, i); UNSIGNED(unsigned, u); UNSIGNED(long, l); UNSIGNED(unsigned char, b); UNSIGNED(unsigned long, ul);
            TRY(unsigned long, x, y, ul_sub_unsigned, __builtin_sub_overflow);
            TRY(unsigned, x, y, u_sub_unsigned, __builtin_sub_overflow);
        }
    return 0;
}
";
    std::fs::write(directory.join("driver.c"), text).expect("a file");
    let program = directory.join("driver");
    let built = std::process::Command::new("cc").args(["-w", "-o"]).args([&program, &directory.join("driver.c")]).status();
    assert!(built.is_ok_and(|status| status.success()));
    assert!(std::process::Command::new(&program).status().is_ok_and(|status| status.success()));
}

#[test]
fn errno_is_an_object_that_output_may_set() {
    let with = format!("{:?}", lowered("*__errno_location() = 0; puts(\"x\");").expect("it is lowered").program);
    let without = format!("{:?}", lowered("puts(\"x\");").expect("it is lowered").program);
    assert_eq!(with.matches("Havoc {").count(), without.matches("Havoc {").count() + 1);
    assert_eq!(models("strtol(c, 0, 10);"), ["strtol", "__errno_location"]);
}

/// The lengths of numbers are those of the C library.
#[test]
fn numbers_are_as_long_as_the_library_writes_them() {
    let directory = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("output");
    std::fs::create_dir_all(&directory).expect("a directory");
    let text = include_str!("../src/models/output.c");
    let driver = r##"
#include <stdio.h>
#include <stdlib.h>
char __VERIFIER_nondet_char(void) { return 'x'; }
void __VERIFIER_assume(int condition) { if (!condition) abort(); }
#define TRY(LETTER, MODEL, PREFIX) do { \
    if (precision < 0) sprintf(format, "%%%s%dl" LETTER, PREFIX ? "#" : "", width); \
    else sprintf(format, "%%%s%d.%dl" LETTER, PREFIX ? "#" : "", width, precision); \
    if ((unsigned long)sprintf(text, format, n) != MODEL(n, PREFIX, precision < 0 ? 1 : precision, width)) abort(); \
} while (0)
int main(void)
{
    char text[64], format[32];
    for (int bit = 0; bit < 64; bit++)
        for (int more = -2; more <= 2; more++)
            for (int precision = -1; precision < 25; precision += precision < 3 ? 1 : 7)
                for (int width = 1; width < 30; width += 6) {
                    unsigned long n = (1ul << bit) + more;
                    TRY("u", __output_decimal, 0);
                    TRY("x", __output_hexadecimal, 0);
                    TRY("x", __output_hexadecimal, 2);
                    TRY("o", __output_octal, 0);
                    TRY("o", __output_octal, 1);
                }
    if (__output_store(text, 4, 9, 0) != 9 || text[2] != 'x' || text[3] != 0) abort();
    return __output_string("abc", 2, 1) != 2 || __output_string("abc", 9, 5) != 5;
}
"##;
    std::fs::write(directory.join("driver.c"), format!("{text}{driver}")).expect("a file");
    let program = directory.join("driver");
    let built = std::process::Command::new("cc").args(["-w", "-o"]).args([&program, &directory.join("driver.c")]).status();
    assert!(built.is_ok_and(|status| status.success()));
    assert!(std::process::Command::new(&program).status().is_ok_and(|status| status.success()));
}
