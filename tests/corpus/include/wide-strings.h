typedef int wchar_t;

/* An array input: s points to exactly n_s wide characters. */
struct wide_str {
    wchar_t *s;
    int n_s;
};

/* Keeps only the inputs that hold a terminator inside their bounds. */
static void require_wide_string(struct wide_str a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return;
    __VERIFIER_ignore();
}
