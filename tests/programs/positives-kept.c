/* The positive numbers among sixty are moved to the front: all of those there are positive. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define COUNT 60

void test(void) {
    int numbers[COUNT];
    int kept = 0;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        if (numbers[i] > 0)
            numbers[kept++] = numbers[i];
    for (int i = 0; i < kept; i++)
        __VERIFIER_assert(numbers[i] > 0);
}
