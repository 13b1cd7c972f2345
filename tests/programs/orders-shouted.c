/* The orders of a captain, copied one after the other into one buffer, shouted, and counted by what they say. */
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static const char *const orders[] = {"left", "right", "stop"};

void test(void) {
    char shouted[7];
    int given = 0, turns = 0;
    while (given < 20 && __VERIFIER_nondet_int()) {
        int order = __VERIFIER_nondet_int();
        if (order < 0 || order > 2)
            continue;
        strcpy(shouted, orders[order]);
        strcat(shouted, "!");
        int length = (int)strlen(shouted);
        __VERIFIER_assert(length == 5 || length == 6);
        if (strcmp(shouted, "stop!") != 0)
            turns++;
        given++;
    }
    __VERIFIER_assert(turns <= given);
}
