/* The days of a month, by a table: 28 at least. */

extern void __VERIFIER_assert(int condition);

static int is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days(int month, int year) {
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : lengths[month - 1];
}

void test(int month, int year) {
    if (month < 1 || month > 12)
        return;
    int length = days(month, year);
    __VERIFIER_assert(length >= 28);
    if (month != 2)
        __VERIFIER_assert(length >= 30);
}
