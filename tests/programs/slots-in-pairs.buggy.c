/* A ledger of pairs of slots: the number of a deal is in the first slot of its pair, whether it is open in the second one. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define DEALS 50

int test(void) {
    int ledger[2 * DEALS];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > DEALS)
        return 0;
    for (int i = 0; i < n; i++) {
        ledger[2 * i] = i;
        ledger[2 * i + 1] = i;
    }
    for (int i = 0; i < n; i++)
        __VERIFIER_assert(ledger[2 * i] == i && ledger[2 * i + 1] == 1);
    return n;
}
