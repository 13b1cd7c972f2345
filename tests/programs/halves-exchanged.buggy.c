/* Who moves is looked for where somebody else sits already. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define SEATS 80

int test(void) {
    int hall[SEATS];
    int half = __VERIFIER_nondet_int();
    if (half < 0 || half > SEATS / 2)
        return 0;
    for (int i = 0; i < half; i++) {
        hall[i] = 1;
        hall[half + i] = 2;
    }
    for (int i = 0; i < half; i++) {
        hall[i] = hall[half + i];
        hall[half + i] = hall[i];
    }
    for (int i = 0; i < half; i++)
        __VERIFIER_assert(hall[i] == 2 && hall[half + i] == 1);
    return 0;
}
