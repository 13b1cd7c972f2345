//! What every file of tests holds.

use super::subject::LibraryModel;

/// Before everything else. No header is included: the user's source may declare these names in its own way.
pub const PRELUDE: &str = r#"
int fork(void);
int waitpid(int, int *, int);

/* Memory that is not freed is no failure. */
char const *__asan_default_options(void) { return "detect_leaks=0"; }

static void goatherd_failed(char const *what)
{
    __builtin_printf("goatherd: %s\n", what);
    __builtin_exit(1);
}

/* Memory of exactly this size and contents. */
static void *goatherd_memory(void const *contents, unsigned long size)
{
    void *memory = __builtin_malloc(size ? size : 1);
    if (!memory)
        goatherd_failed("no memory");
    if (size)
        __builtin_memcpy(memory, contents, size);
    return memory;
}

/* The instructions of the path, and the answers of its environment. */
static unsigned const *goatherd_path;
static unsigned long goatherd_length, goatherd_position;
static unsigned long long const *goatherd_values, *goatherd_values_end;
static unsigned char const *goatherd_allocations, *goatherd_allocations_end;
static int goatherd_fails, goatherd_has_failed;

static void goatherd_begin(unsigned const *path, unsigned long length)
{
    goatherd_path = path;
    goatherd_length = length;
    goatherd_position = 0;
}

static void goatherd_answer(unsigned long long const *values, unsigned long count, unsigned char const *allocations, unsigned long calls)
{
    goatherd_values = values;
    goatherd_values_end = values + count;
    goatherd_allocations = allocations;
    goatherd_allocations_end = allocations + calls;
}

/* An instruction is executed: it is the next one of the path. */
static void goatherd_step(unsigned instruction)
{
    if (goatherd_position == goatherd_length || goatherd_path[goatherd_position] != instruction) {
        __builtin_printf("goatherd: instruction %u is not instruction number %lu of the path\n", instruction, goatherd_position);
        __builtin_exit(1);
    }
    goatherd_position++;
}

/* The run has ended: so has the path. */
static void goatherd_end(void)
{
    if (goatherd_position != goatherd_length)
        goatherd_failed("the run ends before the path");
}

static unsigned long long goatherd_value(void)
{
    if (goatherd_values == goatherd_values_end)
        goatherd_failed("more values are asked for than on the path");
    return *goatherd_values++;
}

static int goatherd_allocates(void)
{
    if (goatherd_allocations == goatherd_allocations_end)
        goatherd_failed("more memory is asked for than on the path");
    return *goatherd_allocations++;
}

static void *goatherd_fresh(unsigned long size)
{
    void *memory = __builtin_calloc(size ? size : 1, 1);
    if (!memory)
        goatherd_failed("no memory");
    return memory;
}

/* Which of these nodes a pointer leads to: -1 for NULL, -2 for none of them. */
static long goatherd_place(void const *pointer, void *const *nodes)
{
    long place = 0;
    if (!pointer)
        return -1;
    while (nodes[place] && nodes[place] != pointer)
        place++;
    return nodes[place] ? place : -2;
}

/* The pointer that is stored here; in a packed struct it need not be aligned. */
static void *goatherd_pointer(void const *where)
{
    void *pointer;
    __builtin_memcpy(&pointer, where, sizeof pointer);
    return pointer;
}

/* A failure of the original function: the test passes if the path fails too. */
static void goatherd_fail(char const *what)
{
    if (!goatherd_fails)
        goatherd_failed(what);
    __builtin_exit(0);
}

/* The original function ends the program: the test passes if the path neither fails nor comes to the value that the function returns. */
static int goatherd_returns;
__attribute__((noreturn)) void goatherd_exit(int status)
{
    (void)status;
    if (goatherd_fails)
        goatherd_failed("the function does not fail");
    if (goatherd_returns)
        goatherd_failed("the function does not return");
    __builtin_exit(0);
}
__attribute__((noreturn)) void goatherd_abort(void) { goatherd_exit(0); }
"#;

/// Before the source where it allocates: what the path's allocations give.
pub const ALLOCATION: &str = r"
static void *goatherd_malloc(unsigned long size) { return goatherd_allocates() ? goatherd_fresh(size) : 0; }
static void *goatherd_calloc(unsigned long count, unsigned long size) { return goatherd_malloc(count * size); }
#define malloc goatherd_malloc
#define calloc goatherd_calloc";

/// What writes text to a stream, of which a path says only what the result is.
pub const OUTPUT: [LibraryModel; 3] = [
    LibraryModel { name: "dprintf", text: "int dprintf(int to, char const *format, ...) { return __VERIFIER_nondet_int(); }\n" },
    LibraryModel { name: "fprintf", text: "int fprintf(void *stream, char const *format, ...) { return __VERIFIER_nondet_int(); }\n" },
    LibraryModel { name: "printf", text: "int printf(char const *format, ...) { return __VERIFIER_nondet_int(); }\n" },
];

/// The harness functions, each where the source uses it and does not define it.
pub const HARNESS: [(&str, &str); 13] = [
    ("__VERIFIER_ignore", "void __VERIFIER_ignore(void) { goatherd_failed(\"an assumption is false\"); }"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int condition) { if (!condition) goatherd_failed(\"an assumption is false\"); }"),
    ("assume_abort_if_not", "void assume_abort_if_not(int condition) { if (!condition) goatherd_failed(\"an assumption is false\"); }"),
    ("__VERIFIER_fail", "void __VERIFIER_fail(void) { goatherd_fail(\"__VERIFIER_fail\"); }"),
    ("__VERIFIER_error", "void __VERIFIER_error(void) { goatherd_fail(\"__VERIFIER_error\"); }"),
    ("reach_error", "void reach_error(void) { goatherd_fail(\"reach_error\"); }"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int condition) { if (!condition) goatherd_fail(\"false assertion\"); }"),
    ("abort", "#define abort goatherd_abort"),
    ("exit", "#define exit goatherd_exit"),
    ("_exit", "#define _exit goatherd_exit"),
    ("_Exit", "#define _Exit goatherd_exit"),
    ("quick_exit", "#define quick_exit goatherd_exit"),
    ("assert", "#define assert(condition) ((condition) ? (void)0 : goatherd_fail(\"false assertion\"))"),
];

/// The end of every file; before it stand the tests and their number.
pub const MAIN: &str = r#"
int main(void)
{
    unsigned long failed = 0;
    for (unsigned long test = 0; test < goatherd_count; test++) {
        int status = 0, process = fork();
        if (process == 0) {
            goatherd_tests[test].run();
            __builtin_exit(0);
        }
        if (process < 0 || waitpid(process, &status, 0) < 0 || status != 0) {
            __builtin_printf("path %d: failed\n", goatherd_tests[test].number);
            failed++;
        }
    }
    __builtin_printf("%lu paths driven, %lu failed\n", goatherd_count - failed, failed);
    return failed != 0;
}
"#;
