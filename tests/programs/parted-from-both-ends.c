/* A row of numbers is parted: those below a limit come first, the others behind them. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define MOST 200

int test(void) {
    int row[MOST];
    int n = __VERIFIER_nondet_int();
    int limit = __VERIFIER_nondet_int();
    if (n < 0 || n > MOST)
        return 0;
    for (int i = 0; i < n; i++)
        row[i] = __VERIFIER_nondet_int();
    int low = 0, high = n;
    while (low < high) {
        if (row[low] < limit) {
            low++;
        } else {
            high--;
            int other = row[high];
            row[high] = row[low];
            row[low] = other;
        }
    }
    for (int i = 0; i < low; i++)
        __VERIFIER_assert(row[i] < limit);
    for (int i = low; i < n; i++)
        __VERIFIER_assert(limit <= row[i]);
    return low;
}
