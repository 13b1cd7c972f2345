/* A row is filled from its end: the first seat should be taken last, but it is left out. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);

void test(int seats) {
    if (seats <= 0)
        return;
    int *row = malloc(seats * sizeof *row);
    if (!row)
        return;
    for (int i = seats - 1; i > 0; i--)
        row[i] = 5;
    __VERIFIER_assert(row[0] == 5);
    free(row);
}
