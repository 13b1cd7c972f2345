/* The lists that hang on a list are flattened to one; the number of elements stays. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct item { struct item *next; };
struct row { struct item *items; struct row *below; };

void test(struct row *rows) {
    unsigned before = 0, after = 0;
    for (struct row *row = rows; row; row = row->below)
        for (struct item *item = row->items; item; item = item->next)
            before++;
    struct item *all = 0, **end = &all;
    for (struct row *row = rows; row; row = row->below) {
        *end = row->items;
        if (*end)
            end = &(*end)->next;
        row->items = 0;
    }
    for (struct item *item = all; item; item = item->next)
        after++;
    __VERIFIER_assert(before == after);
}
