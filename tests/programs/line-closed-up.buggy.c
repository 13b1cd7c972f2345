/* The places of those that move up are added to their tickets. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define LONGEST 40

int test(void) {
    int line[LONGEST];
    int length = __VERIFIER_nondet_int(), leaving = __VERIFIER_nondet_int();
    if (length < 1 || length > LONGEST || leaving < 0 || leaving >= length)
        return 0;
    for (int i = 0; i < length; i++)
        line[i] = 8;
    for (int i = leaving; i + 1 < length; i++)
        line[i] = i + line[i + 1];
    for (int i = 0; i + 1 < length; i++)
        __VERIFIER_assert(line[i] == 8);
    return 0;
}
