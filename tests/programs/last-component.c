/* Behind the last slash of a path there is none. */

extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

/* Keeps only the inputs that hold a terminator inside their bounds. */
static void require_string(struct str a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}

/* What stands behind the last slash; all of the path if there is none. */
static const char *last_component(const char *path) {
    const char *last = path;
    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    return last;
}

void test(struct str path) {
    require_string(path);
    for (const char *c = last_component(path.s); *c; c++)
        __VERIFIER_assert(*c != '/');
}
