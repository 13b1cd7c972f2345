/* klibc's and OpenBSD's strsep, called until they end, cut a string into the same tokens. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strpbrk strpbrk=linux_strpbrk

// extract klibc_strsep strsep=klibc_strsep strpbrk=linux_strpbrk

// extract openbsd_strsep strsep=openbsd_strsep

void test(struct str a, struct str b, struct str delimiters) {
    require_string(a);
    require_copy(a, b);
    require_string(delimiters);
    char *left = a.s;
    char *right = b.s;
    while (left != NULL && right != NULL) {
        char *left_token = klibc_strsep(&left, delimiters.s);
        char *right_token = openbsd_strsep(&right, delimiters.s);
        __VERIFIER_assert(left_token - a.s == right_token - b.s);
        /* The tokens end at the same place, too. */
        __VERIFIER_assert((left == NULL) == (right == NULL));
        __VERIFIER_assert(left == NULL || left - a.s == right - b.s);
    }
    __VERIFIER_assert(left == right);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "*e++ = '\\0';" => "*e = '\\0';"
