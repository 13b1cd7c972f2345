/* What a stack of a hundred elements gives back should be what was pushed, a positive number: it looks one place too high. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 100

void test(void) {
    int elements[CAPACITY];
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value > 0) {
            if (count < CAPACITY)
                elements[count++] = value;
        } else if (count > 0) {
            value = elements[count--];
            __VERIFIER_assert(value > 0);
        }
    }
}
