/* A circular list without a header, from a list: going round comes back to where it began. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct person { int number; struct person *next; };

void test(struct person *first) {
    if (!first)
        return;
    struct person *last = first;
    unsigned people = 1;
    while (last->next) {
        last = last->next;
        people++;
    }
    last->next = people > 2 ? first->next : first;
    if (people > 2)
        first = first->next;
    struct person *at = first;
    unsigned steps = 0;
    do {
        at = at->next;
        steps++;
    } while (at != first);
    __VERIFIER_assert(steps == people);
}
