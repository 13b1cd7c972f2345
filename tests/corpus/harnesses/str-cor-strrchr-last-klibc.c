/* klibc's strrchr returns the last occurrence of a character, or a null pointer. */

// include verifier.h
// include strings.h

// extract klibc_strrchr

// twin "found = s;" => "return (char *)s;"

void test(struct str a, int c) {
    require_string(a);
    char *found = strrchr(a.s, c);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (char *p = found ? found + 1 : a.s; p == a.s || p[-1] != 0; p++)
        __VERIFIER_assert(*p != (char)c);
}
