/* A doubly linked list built by appending: each cell is before the one after it. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct cell { struct cell *next, *prev; int data; };

void test(void) {
    struct cell *head = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->next = 0;
        cell->prev = last;
        if (last)
            last->next = cell;
        else
            head = cell;
        if (cell->prev == head)
            last = cell;
        else
            last = head;
    }
    for (struct cell *cell = head; cell; cell = cell->next) {
        if (cell->next)
            __VERIFIER_assert(cell->next->prev == cell);
        else
            __VERIFIER_assert(cell == last);
    }
}
