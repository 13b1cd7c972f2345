/* A string that was copied by strcpy compares equal to the original. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assume(int condition);
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

static size_t strlen(const char *s) {
    size_t i = 0;
    while (s[i] != 0)
        i++;
    return i;
}

static int strcmp(const char *s, const char *t) {
    while (*s != 0 && *s == *t) {
        s++;
        t++;
    }
    return (unsigned char)*s - (unsigned char)*t;
}

static char *strcpy(char *restrict target, const char *restrict source) {
    char *start = target;
    while ((*target++ = *source++) != 0)
        ;
    return start;
}

void test(struct str source, struct str target) {
    require_string(source);
    __VERIFIER_assume(strlen(source.s) < (size_t)target.n_s);
    __VERIFIER_assert(strcmp(strcpy(target.s, source.s), source.s) == 0);
}
