/* The buggy twin of take-words.c: the terminator is taken for the space behind the last word. */

#define NULL ((void *)0)
extern void __VERIFIER_ignore(void);

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

static char *take_word(char *s, char **rest) {
    if (s == NULL)
        s = *rest;
    while (*s == ' ')
        s++;
    if (*s == 0)
        return NULL;
    char *word = s;
    while (*s != 0 && *s != ' ')
        s++;
    *s++ = 0;
    *rest = s;
    return word;
}

void test(struct str a) {
    require_string(a);
    char *rest;
    char *word = take_word(a.s, &rest);
    while (word != NULL)
        word = take_word(NULL, &rest);
}
