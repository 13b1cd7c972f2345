/* The towers of Hanoi: no disc is put where it was taken from. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

static void move(int from, int to) {
    __VERIFIER_assert(from != to);
}

static void hanoi(unsigned discs, int from, int to) {
    if (discs == 0)
        return;
    int other = 2 - from;
    hanoi(discs - 1, from, other);
    move(from, to);
    hanoi(discs - 1, other, to);
}

void test(unsigned discs) {
    __VERIFIER_assume(discs < 12);
    hanoi(discs, 0, 2);
}
