/* There is one row less than are gone through. */
extern int __VERIFIER_nondet_int(void);

#define ROWS 12
#define SEATS 16

void test(void) {
    int price[ROWS][SEATS];
    for (int row = 0; row < ROWS; row++)
        for (int seat = 0; seat < SEATS; seat++)
            price[row][seat] = 7;
    for (int row = 0; row <= ROWS; row++) {
        int dearer = __VERIFIER_nondet_int();
        for (int seat = 0; seat < SEATS; seat++)
            if (dearer)
                price[row][seat] = 9;
    }
}
