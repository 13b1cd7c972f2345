/* klibc's strchr returns the first occurrence of a character, or a null pointer. */

// include verifier.h
// include strings.h

// extract klibc_strchr

// twin "*s != (char)c" => "*s > (char)c"

void test(struct str a, int c) {
    require_string(a);
    char *found = strchr(a.s, c);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (char *p = a.s; p != found; p++) {
        __VERIFIER_assert(*p != (char)c);
        if (*p == 0)
            return;
    }
}
