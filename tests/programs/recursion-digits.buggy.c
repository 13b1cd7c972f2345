/* A number is written in decimal: only digits. */

extern void __VERIFIER_assert(int condition);

static void put(int character) {
    __VERIFIER_assert(character >= '0' && character <= '9');
}

static void write_number(unsigned n) {
    if (n > 9)
        write_number(n / 10);
    put('0' + (int)(n % 16));
}

void test(unsigned n) {
    write_number(n);
}
