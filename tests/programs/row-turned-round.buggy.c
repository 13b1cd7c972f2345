/* The last place is given the number of the first one, not what was there. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define LONGEST 50

static void turn_round(int *row, int length) {
    int first = 0, last = length - 1;
    while (first < last) {
        int kept = first;
        row[first++] = row[last];
        row[last--] = kept;
    }
}

int test(void) {
    int row[LONGEST];
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > LONGEST)
        return 0;
    for (int i = 0; i < length; i++)
        row[i] = i + 1;
    turn_round(row, length);
    for (int i = 0; i < length; i++)
        __VERIFIER_assert(row[i] > 0);
    return 0;
}
