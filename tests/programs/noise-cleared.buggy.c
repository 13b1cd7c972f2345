/* Readings from 20 to 30 are noise and cleared: each that is left should be below or above, but 30 is forgotten. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define COUNT 50

void test(void) {
    int readings[COUNT];
    for (int i = 0; i < COUNT; i++)
        readings[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        if (readings[i] >= 20 && readings[i] < 30)
            readings[i] = 0;
    for (int i = 0; i < COUNT; i++)
        __VERIFIER_assert(readings[i] < 20 || readings[i] > 30);
}
