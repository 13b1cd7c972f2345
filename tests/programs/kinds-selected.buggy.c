/* A text of at most so many characters, or a number, is written by what another type selects. */

extern void __VERIFIER_assert(int condition);

static int of_character(char c) {
    return c != 0;
}

static int of_byte(signed char c) {
    return c >= 0 ? 1 : 2;
}

static int of_number(long n) {
    int digits = 1;
    while (n >= 10 && digits < 19) {
        n /= 10;
        digits++;
    }
    return digits;
}

static int of_text(const char *text) {
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

#define WIDTH(x) _Generic((x), char: of_byte, signed char: of_character, long: of_number, char *: of_text, const char *: of_text)(x)

void test(char letter, signed char small, long number) {
    char name[4] = "abc";
    const char *fixed = "de";
    __VERIFIER_assert(WIDTH(letter) <= 1);
    __VERIFIER_assert(WIDTH(small) >= 1);
    __VERIFIER_assert(WIDTH(number + 1) >= 1);
    __VERIFIER_assert(WIDTH(name) == 3 && WIDTH(fixed) == 2);
}
