/* Leaves the last number out. */
#include <stdarg.h>

extern void __VERIFIER_assert(int condition);

static int next(va_list numbers) {
    return va_arg(numbers, int);
}

static int extreme(int is_greatest, int count, ...) {
    va_list numbers;
    va_start(numbers, count);
    int best = next(numbers);
    for (int i = 1; i < count - 1; i++) {
        int number = i % 2 ? va_arg(numbers, int) : next(numbers);
        if (is_greatest ? number > best : number < best)
            best = number;
    }
    va_end(numbers);
    return best;
}

void test(int a, short b, signed char c) {
    int least = extreme(0, 3, a, b, c), greatest = extreme(1, 3, a, b, c);
    __VERIFIER_assert(least <= a && least <= b && least <= c);
    __VERIFIER_assert(greatest == a || greatest == b || greatest == c);
    __VERIFIER_assert(least <= greatest);
}
