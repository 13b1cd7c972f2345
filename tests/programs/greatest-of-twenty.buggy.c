// The buggy twin of greatest-of-twenty.c: the greatest number is not less than itself.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

void test(void) {
    int numbers[20];
    for (int i = 0; i < 20; i++)
        numbers[i] = __VERIFIER_nondet_int();
    int greatest = numbers[0];
    for (int i = 1; i < 20; i++)
        if (numbers[i] > greatest)
            greatest = numbers[i];
    for (int i = 0; i < 20; i++)
        __VERIFIER_assert(numbers[i] < greatest);
}
