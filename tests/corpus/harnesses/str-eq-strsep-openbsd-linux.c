/* OpenBSD's and Linux's strsep cut off the same token and leave the same rest. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strpbrk strpbrk=linux_strpbrk

// extract openbsd_strsep strsep=openbsd_strsep

// extract linux_strsep strsep=linux_strsep strpbrk=linux_strpbrk

void test(struct str a, struct str b, struct str delimiters) {
    require_string(a);
    require_copy(a, b);
    require_string(delimiters);
    char *left = a.s;
    char *right = b.s;
    __VERIFIER_assert(openbsd_strsep(&left, delimiters.s) == a.s);
    __VERIFIER_assert(linux_strsep(&right, delimiters.s) == b.s);
    __VERIFIER_assert((left == NULL) == (right == NULL));
    __VERIFIER_assert(left == NULL || left - a.s == right - b.s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "s[-1] = 0;" => "s[0] = 0;"
