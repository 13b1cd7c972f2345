/* Buggy: characters below 0 end the set for one of the two ways. A string is cut at the characters of a set, piece after piece: two ways to look for the end of a piece find the same. */

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

static char *first_of(char *s, const char *set) {
    for (; *s != 0; s++)
        for (const char *member = set; *member != 0; member++)
            if (*s == *member)
                return s;
    return s;
}

static char *end_of_piece(char *s, const char *set) {
    for (;; s++) {
        const char *member = set;
        while (*member > 0 && *member != *s)
            member++;
        if (*member == *s)
            return s;
    }
}

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    char *s = a.s;
    for (;;) {
        char *end = first_of(s, set.s);
        __VERIFIER_assert(end_of_piece(s, set.s) == end);
        if (*end == 0)
            return;
        s = end + 1;
    }
}
