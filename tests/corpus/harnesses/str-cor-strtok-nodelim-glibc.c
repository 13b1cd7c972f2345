/* A token that glibc's strtok_r gives is not empty and holds no delimiter. */

// include verifier.h
// include strings.h

// extract linux_strchr

// extract linux_strspn

// extract linux_strcspn

// extract glibc_strtok_r __strtok_r=strtok_r

// twin "s += strspn (s, delim);" => ""
// twin 2 "*end = '\\0';" => ""

void test(struct str a, struct str delimiters) {
    require_string(a);
    require_string(delimiters);
    char *rest = NULL;
    char *token = strtok_r(a.s, delimiters.s, &rest);
    if (!token)
        return;
    __VERIFIER_assert(*token != 0);
    for (char *p = token; *p != 0; p++)
        __VERIFIER_assert(!strchr(delimiters.s, *p));
}
