/* No element of an array is greater than the one whose place was found. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define LENGTH 45

void test(void) {
    int heights[LENGTH];
    int tallest = 0;
    for (int i = 0; i < LENGTH; i++)
        heights[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < LENGTH; i++)
        if (heights[i] > heights[tallest])
            tallest = i;
    for (int i = 0; i < LENGTH; i++)
        __VERIFIER_assert(heights[i] <= heights[tallest]);
}
