/* Doors are opened and shut in any order: those that are open are no more than there are. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define DOORS 30

static int is_open[DOORS];

static void turn(int door) {
    if (door >= 0 && door < DOORS)
        is_open[door] = !is_open[door];
}

static int count(void) {
    int sum = 0;
    for (int door = 0; door < DOORS; door++)
        sum += is_open[door];
    return sum;
}

void test(void) {
    while (__VERIFIER_nondet_int()) {
        turn(__VERIFIER_nondet_int());
        int sum = count();
        __VERIFIER_assert(sum >= 0 && sum <= DOORS);
    }
}
