/* Linux's strchrnul stops at the first occurrence of a character, or at the terminator. */

// include verifier.h
// include strings.h

// extract linux_strchrnul

// twin "*s && *s != (char)c" => "*s != (char)c"
// twin 2 "*s != (char)c" => "*s < (char)c"

void test(struct str a, int c) {
    require_string(a);
    char *found = strchrnul(a.s, c);
    __VERIFIER_assert(*found == (char)c || *found == 0);
    for (char *p = a.s; p != found; p++)
        __VERIFIER_assert(*p != (char)c && *p != 0);
}
