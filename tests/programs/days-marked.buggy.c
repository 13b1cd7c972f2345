/* Which days of a month somebody was away: each has a mark, which is 0 or 1. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define DAYS 31

int test(void) {
    int away[DAYS] = {0};
    while (__VERIFIER_nondet_int()) {
        int day = __VERIFIER_nondet_int();
        if (day >= 1 && day <= DAYS)
            away[day - 1] = day;
    }
    for (int i = 0; i < DAYS; i++)
        __VERIFIER_assert(away[i] == 0 || away[i] == 1);
    return 0;
}
