/* Pairs are handed down and back by value: the second of a pair is never negative. */

extern void __VERIFIER_assert(int condition);

struct pair {
    int count;
    int sign;
};

static struct pair walk(struct pair pair, unsigned n) {
    if (n == 0)
        return pair;
    struct pair rest = walk((struct pair){ pair.count + 1, !pair.sign }, n - 1);
    rest.sign -= pair.sign;
    return rest;
}

void test(unsigned char n) {
    struct pair result = walk((struct pair){ 0, 1 }, n);
    __VERIFIER_assert(result.sign == 0 || result.sign == 1);
}
