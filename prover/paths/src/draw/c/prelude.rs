//! What every file of tests holds.

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
static unsigned long long const *goatherd_values;
static unsigned char const *goatherd_allocations;
static int goatherd_fails, goatherd_has_failed;

static void goatherd_begin(unsigned const *path, unsigned long length, unsigned long long const *values, unsigned char const *allocations)
{
    goatherd_path = path;
    goatherd_length = length;
    goatherd_position = 0;
    goatherd_values = values;
    goatherd_allocations = allocations;
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

static unsigned long long goatherd_value(void) { return *goatherd_values++; }
static int goatherd_allocates(void) { return *goatherd_allocations++; }

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

/* A failure of the original function: the test passes if the path fails too. */
static void goatherd_fail(char const *what)
{
    if (!goatherd_fails)
        goatherd_failed(what);
    __builtin_exit(0);
}
"#;

/// Before the source where it allocates: what the path's allocations give.
pub const ALLOCATION: &str = r"
static void *goatherd_malloc(unsigned long size) { return goatherd_allocates() ? goatherd_fresh(size) : 0; }
static void *goatherd_calloc(unsigned long count, unsigned long size) { return goatherd_malloc(count * size); }
#define malloc goatherd_malloc
#define calloc goatherd_calloc";

/// The harness functions, each where the source uses it and does not define it.
pub const HARNESS: [(&str, &str); 10] = [
    ("__VERIFIER_ignore", "void __VERIFIER_ignore(void) { goatherd_failed(\"an assumption is false\"); }"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int condition) { if (!condition) goatherd_failed(\"an assumption is false\"); }"),
    ("assume_abort_if_not", "void assume_abort_if_not(int condition) { if (!condition) goatherd_failed(\"an assumption is false\"); }"),
    ("__VERIFIER_fail", "void __VERIFIER_fail(void) { goatherd_fail(\"__VERIFIER_fail\"); }"),
    ("__VERIFIER_error", "void __VERIFIER_error(void) { goatherd_fail(\"__VERIFIER_error\"); }"),
    ("reach_error", "void reach_error(void) { goatherd_fail(\"reach_error\"); }"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int condition) { if (!condition) goatherd_fail(\"false assertion\"); }"),
    ("abort", "void goatherd_abort(void) { __builtin_exit(0); }\n#define abort goatherd_abort"),
    ("exit", "void exit(int) __attribute__((noreturn));"),
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
