/* A table of any numbers of rows and columns, and its transpose: both arrays have as many elements. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

void test(void) {
    unsigned rows = __VERIFIER_nondet_uint(), columns = __VERIFIER_nondet_uint();
    if (rows > 4096 || columns > 4096)
        return;
    int *table = calloc(rows * columns, sizeof *table), *turned = calloc(columns * rows, sizeof *turned);
    if (table && turned)
        for (unsigned row = 0; row < rows; row++)
            for (unsigned column = 0; column < columns; column++)
                turned[column * rows + row] = table[row * columns + column];
    free(table);
    free(turned);
}
