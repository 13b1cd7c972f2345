/* OpenBSD's strsep, called until a string has no more tokens, stays in it. */

// include verifier.h
// include strings.h

// extract openbsd_strsep

// twin "s = NULL;" => ";"
// twin 2 "} while (sc != 0);" => "} while (1);"

void test(struct str a, struct str delimiters) {
    require_string(a);
    require_string(delimiters);
    char *rest = a.s;
    while (strsep(&rest, delimiters.s))
        ;
    __VERIFIER_assert(!rest);
}
