/* A bus collects fares of four kinds, and then gives change: what it has taken in is at most the dearest fare for each passenger. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

void test(void) {
    int passengers = 0, collected = 0;
    while (passengers < 20 && __VERIFIER_nondet_int()) {
        int kind = __VERIFIER_nondet_int();
        int fare = kind == 0 ? 0 : kind == 1 ? 3 : kind == 2 ? 5 : 8;
        collected += fare;
        passengers++;
    }
    int given = 0;
    while (collected >= 2 && __VERIFIER_nondet_int()) {
        collected -= 2;
        given += 2;
    }
    __VERIFIER_assert(collected >= 0);
    __VERIFIER_assert(collected + given <= 8 * passengers);
}
