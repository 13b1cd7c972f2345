/* A stack whose cells are bare pointers, each to the cell below it: a cell that is put on it forgets which that is. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);

static void push(void ***top) {
    void **cell = malloc(sizeof *cell);
    if (!cell)
        return;
    *top = cell;
}

void test(void) {
    void **top = 0;
    while (__VERIFIER_nondet_int())
        push(&top);
    while (top) {
        void *below = *top;
        free(top);
        top = below;
    }
}
