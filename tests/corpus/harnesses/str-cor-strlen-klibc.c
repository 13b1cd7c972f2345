/* klibc's strlen returns the index of the first terminator. */

// include verifier.h
// include strings.h

// extract klibc_strlen

// twin "while (*ss)" => "while (*ss > 0)"

void test(struct str a) {
    require_string(a);
    size_t length = strlen(a.s);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] != 0);
    __VERIFIER_assert(a.s[length] == 0);
}
