/* Each fare is raised by 2: all of them are so much more than before, also those that wrap around. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define COUNT 50

void test(void) {
    int before[COUNT], fares[COUNT];
    for (int i = 0; i < COUNT; i++)
        before[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        fares[i] = before[i] + 2;
    for (int i = 0; i < COUNT; i++)
        __VERIFIER_assert(fares[i] == before[i] + 2);
}
