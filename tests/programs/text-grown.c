/* A text that is put together in memory that grows with it. */
typedef unsigned long size_t;
extern void *realloc(void *old, size_t size);
extern void free(void *block);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct text {
    char *letters;
    size_t length, room;
};

static void add(struct text *text, char letter) {
    if (text->length + 1 >= text->room) {
        size_t room = 2 * text->room + 8;
        char *more = realloc(text->letters, room);
        if (!more)
            abort();
        text->letters = more;
        text->room = room;
    }
    text->letters[text->length++] = letter;
    text->letters[text->length] = '\0';
}

void test(void) {
    struct text text = { 0, 0, 0 };
    add(&text, '>');
    while (text.length < 1000 && __VERIFIER_nondet_int())
        add(&text, 'x');
    __VERIFIER_assert(text.letters[text.length] == '\0');
    __VERIFIER_assert(text.letters[0] == '>');
    free(text.letters);
}
