/* A token that OpenBSD's strsep gives holds no delimiter, and the rest follows it. */

// include verifier.h
// include strings.h

// extract linux_strpbrk

// extract openbsd_strsep

// twin "s[-1] = 0;" => "s[0] = 0;"

void test(struct str a, struct str delimiters) {
    require_string(a);
    require_string(delimiters);
    char *rest = a.s;
    char *token = strsep(&rest, delimiters.s);
    __VERIFIER_assert(token == a.s);
    __VERIFIER_assert(!strpbrk(token, delimiters.s));
}
