/* Texts that hang on a list are cut off; afterwards each is terminated. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct text { char letters[4]; };
struct line { struct text *text; struct line *next; };

void test(struct line *lines) {
    for (struct line *line = lines; line; line = line->next)
        if (line->text)
            line->text->letters[3] = 0;
    for (struct line *line = lines; line; line = line->next)
        if (line->text)
            __VERIFIER_assert(line->text->letters[3] == 0);
}
