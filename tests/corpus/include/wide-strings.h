typedef int wchar_t;

/* An array input: s points to exactly n_s wide characters. */
struct wide {
    wchar_t *s;
    int n_s;
};

/* Keeps only the inputs that hold a terminator inside their bounds; tells the place of the first one. */
static int wide_length(struct wide a) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == 0)
            return i;
    __VERIFIER_ignore();
    return 0;
}
