/* musl's and glibc's strtok_r, called until they end, give the same tokens. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strchr strchr=linux_strchr

// extract linux_strspn strspn=linux_strspn strchr=linux_strchr

// extract linux_strcspn strcspn=linux_strcspn strchr=linux_strchr

// extract musl_strtok_r strtok_r=musl_strtok_r strspn=linux_strspn strcspn=linux_strcspn

// extract glibc_strtok_r __strtok_r=glibc_strtok_r strspn=linux_strspn strcspn=linux_strcspn

void test(struct str a, struct str b, struct str delimiters) {
    require_string(a);
    require_copy(a, b);
    require_string(delimiters);
    char *left_rest;
    char *right_rest;
    char *left = musl_strtok_r(a.s, delimiters.s, &left_rest);
    char *right = glibc_strtok_r(b.s, delimiters.s, &right_rest);
    while (left != NULL && right != NULL) {
        __VERIFIER_assert(left - a.s == right - b.s);
        left = musl_strtok_r(NULL, delimiters.s, &left_rest);
        right = glibc_strtok_r(NULL, delimiters.s, &right_rest);
    }
    __VERIFIER_assert(left == right);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "if (!s && !(s = *p)) return NULL;" => "if (!s) s = *p;"
