/* The greatest of a row of numbers, found by a pointer that goes up to where the row ends. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

int test(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2000)
        return 0;
    int *row = malloc(n * sizeof *row);
    if (row == NULL)
        return 0;
    int *end = row + n;
    for (int *p = row; p < end; p++)
        *p = __VERIFIER_nondet_int();
    int greatest = *row;
    for (int *p = row + 1; p < end; p++)
        if (*p > greatest)
            greatest = *p;
    for (int *p = row; p < end; p++)
        __VERIFIER_assert(*p <= greatest);
    free(row);
    return 0;
}
