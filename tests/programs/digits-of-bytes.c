/* Both hexadecimal digits of a byte, from a table, give it back. */

extern void __VERIFIER_assert(int condition);

static const char digits[] = "0123456789abcdef";

static int value_of(char digit) {
    return digit >= 'a' ? digit - 'a' + 10 : digit - '0';
}

void test(unsigned char byte) {
    char high = digits[byte >> 4], low = digits[byte & 15];
    __VERIFIER_assert((value_of(high) << 4 | value_of(low)) == byte);
}
