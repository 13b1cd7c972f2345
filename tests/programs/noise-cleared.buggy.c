/* Readings from 1 to 2 are noise and cleared: each that is left should be below or above, but 2 is forgotten. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define COUNT 50

void test(void) {
    int readings[COUNT];
    for (int i = 0; i < COUNT; i++)
        readings[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        if (readings[i] >= 1 && readings[i] < 2)
            readings[i] = 0;
    for (int i = 0; i < COUNT; i++)
        __VERIFIER_assert(readings[i] < 1 || readings[i] > 2);
}
