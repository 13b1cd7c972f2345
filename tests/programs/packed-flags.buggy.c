/* The buggy twin of packed-flags.c: a level that runs over is never the greatest one and one more. */

extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct flags {
    unsigned kind : 3;
    int level : 5;
    _Bool is_set : 1;
    unsigned count : 12;
    short rest;
    int wide : 31;
};

union number {
    unsigned whole;
    unsigned char bytes[4];
};

static void raise_level(struct flags *flags) {
    if (flags->level < 15)
        flags->level++;
}

void test(int kind, int steps) {
    __VERIFIER_assume(kind >= 0 && kind < 8);
    struct flags flags = {0};
    flags.kind = kind;
    flags.level = -16;
    flags.is_set = 2;
    for (int i = 0; i < steps; i++) {
        raise_level(&flags);
        __VERIFIER_assert(flags.is_set == 1 && flags.count == 0);
    }
    __VERIFIER_assert(flags.kind <= 7 && flags.level <= 15);
    struct flags other = {7, -16};
    other.kind++;
    other.level--;
    other.wide = -5;
    __VERIFIER_assert(other.wide == -5);
    __VERIFIER_assert(other.kind == 0 && other.level == -17);
    union number number;
    number.whole = 0x01020304;
    number.bytes[3]++;
    __VERIFIER_assert(number.bytes[0] == 4 && number.whole == 0x02020304);
}
