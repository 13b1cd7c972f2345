//! Which models calls of library functions become, and what of them is refused.

use goatherd_frontend::{
    diagnostics::{Colors, render, reports},
    lower::{Lowered, lower},
    source::{Options, from_text},
};

const DECLARATIONS: &str = "typedef unsigned long size_t; void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);\n\
    int memcmp(const void *, const void *, size_t); void *malloc(size_t); void *realloc(void *, size_t); void free(void *);\n\
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
    static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
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
    refused("qsort(a, 4, 8, compare);", &format!("6:19: {size}"));
    refused("qsort(a, 4, n, compare);", &format!("6:19: {size}"));
    refused("qsort((void *)a, 4, sizeof *a, compare);", &format!("6:19: {size}"));
}

/// The first allocation is of `int`, since the second one is what it becomes.
#[test]
fn reallocation_ends_an_allocation() {
    let program = format!("{:?}", lowered("p = malloc(4); p = realloc(p, n); free(p);").expect("it is lowered").program);
    assert_eq!(program.matches("Allocate {").count(), 2);
    assert!(program.matches("Free {").count() >= 3, "{program}");
}
