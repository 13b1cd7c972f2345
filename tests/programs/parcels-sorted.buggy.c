/* Each parcel is counted twice, so a shelf seems to hold more than there are. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define SHELVES 48

int test(void) {
    int shelves[SHELVES] = {0};
    int parcels = 0;
    while (parcels < 100 && __VERIFIER_nondet_int()) {
        int shelf = __VERIFIER_nondet_int();
        if (shelf < 0 || shelf >= SHELVES)
            continue;
        shelves[shelf] += 2;
        parcels++;
    }
    for (int i = 0; i < SHELVES; i++)
        __VERIFIER_assert(shelves[i] >= 0 && shelves[i] <= parcels);
    return 0;
}
