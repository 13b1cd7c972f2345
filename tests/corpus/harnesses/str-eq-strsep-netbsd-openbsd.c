/* NetBSD's stresep with NUL as escape character and OpenBSD's strsep cut at the same places. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strlen strlen=linux_strlen

// extract linux_memmove memmove=linux_memmove

// extract netbsd_stresep strlen=linux_strlen memmove=linux_memmove

// extract openbsd_strsep strsep=openbsd_strsep

void test(struct str a, struct str b, struct str delimiters) {
    require_string(a);
    require_copy(a, b);
    require_string(delimiters);
    char *left = a.s;
    char *right = b.s;
    __VERIFIER_assert(stresep(&left, delimiters.s, '\0') == a.s);
    __VERIFIER_assert(openbsd_strsep(&right, delimiters.s) == b.s);
    __VERIFIER_assert((left == NULL) == (right == NULL));
    __VERIFIER_assert(left == NULL || left - a.s == right - b.s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "while (esc != '\\0' && c == esc)" => "while (c == esc)"
