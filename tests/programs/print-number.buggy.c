/* The buggy twin of print-number.c: there is no room for the end of a date. */

typedef unsigned long size_t;
extern void __VERIFIER_assert(int condition);
extern int snprintf(char *to, size_t room, const char *format, ...);
extern int sprintf(char *to, const char *format, ...);

void test(int value, int month) {
    char text[12], date[2];
    int length = snprintf(text, sizeof text, "%d", value);
    __VERIFIER_assert(length >= 1 && length < (int)sizeof text);
    __VERIFIER_assert(text[length] == 0);
    if (month >= 1 && month <= 12) {
        __VERIFIER_assert(sprintf(date, "%02d", month) == 2);
    }
}
