/* No element of an array should be less, but those before the last are compared, than the one whose place was found. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define LENGTH 50

void test(void) {
    int numbers[LENGTH];
    int least = 0;
    for (int i = 0; i < LENGTH; i++)
        numbers[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < LENGTH; i++)
        if (numbers[i] < numbers[i - 1])
            least = i;
    for (int i = 0; i < LENGTH; i++)
        __VERIFIER_assert(numbers[least] <= numbers[i]);
}
