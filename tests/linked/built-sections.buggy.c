/* A list of 1s, then 2s, and a 3 at its end, where the search takes the 2s for the end. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

static void *make(unsigned long size) {
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

struct node {
    struct node *next;
    int mark;
};

void test(void) {
    struct node *list = make(sizeof *list);
    struct node *last = list;
    while (__VERIFIER_nondet_int()) {
        last->mark = 1;
        last->next = make(sizeof *last);
        last = last->next;
    }
    while (__VERIFIER_nondet_int()) {
        last->mark = 2;
        last->next = make(sizeof *last);
        last = last->next;
    }
    last->mark = 3;
    last->next = 0;
    last = list;
    while (last->mark == 1)
        last = last->next;
    __VERIFIER_assert(last->mark == 3);
}
