/* The buggy twin of strdup.c: no memory is asked for the terminator. */

typedef unsigned long size_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(size_t size);

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

static char *strdup(const char *s) {
    char *copy = malloc(strlen(s));
    if (!copy)
        return 0;
    int i = 0;
    for (; s[i] != 0; i++)
        copy[i] = s[i];
    copy[i] = 0;
    return copy;
}

void test(struct str a) {
    require_string(a);
    char *copy = strdup(a.s);
    if (copy)
        __VERIFIER_assert(strcmp(copy, a.s) == 0);
}
