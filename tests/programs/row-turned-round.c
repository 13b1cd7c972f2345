/* A row of tickets is turned round where it stands: all of them are still valid, none is 0. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define LONGEST 50

static void turn_round(int *row, int length) {
    int first = 0, last = length - 1;
    while (first < last) {
        int kept = row[first];
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
