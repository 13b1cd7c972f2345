/* There is one seat less in each row than are priced. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned long);
extern void free(void *);

void test(void) {
    int rows = __VERIFIER_nondet_int(), seats = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 1000 || seats < 1 || seats > 1000)
        return;
    int *price = malloc(rows * seats * sizeof *price);
    if (!price)
        return;
    for (int row = 0; row < rows; row++)
        for (int seat = 0; seat < seats; seat++)
            price[row * seats + seat] = 7;
    while (__VERIFIER_nondet_int()) {
        int row = __VERIFIER_nondet_int(), seat = __VERIFIER_nondet_int();
        if (row < 0 || row >= rows || seat < 0 || seat > seats)
            continue;
        price[row * seats + seat] = 9;
        __VERIFIER_assert(price[row * seats + seat] == 9);
    }
    free(price);
}
