/* QEMU's and dietlibc's strsep cut off the same token and leave the same rest. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strchr strchr=linux_strchr

// extract qemu_qemu_strsep strchr=linux_strchr

// extract diet_strsep strsep=diet_strsep

void test(struct str a, struct str b, struct str delimiters) {
    require_string(a);
    require_copy(a, b);
    require_string(delimiters);
    char *left = a.s;
    char *right = b.s;
    __VERIFIER_assert(qemu_strsep(&left, delimiters.s) == a.s);
    __VERIFIER_assert(diet_strsep(&right, delimiters.s) == b.s);
    __VERIFIER_assert((left == NULL) == (right == NULL));
    __VERIFIER_assert(left == NULL || left - a.s == right - b.s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "*input = p + 1;" => "*input = p;"
