/* Deletes all elements with a key by a pointer to a link; none is left. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

typedef struct entry { struct entry *next; int key; } entry;

void test(entry *list, int key) {
    entry **link = &list;
    while (*link) {
        entry *at = *link;
        if (at->key == key) {
            *link = at->next;
            free(at);
        } else
            link = &at->next;
    }
    for (entry *at = list; at; at = at->next)
        __VERIFIER_assert(at->key != key);
}
