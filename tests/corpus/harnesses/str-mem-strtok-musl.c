/* musl's strtok_r, called until a string has no more tokens, stays in it. */

// include verifier.h
// include strings.h

// extract linux_strchr

// extract linux_strspn

// extract linux_strcspn

// extract musl_strtok_r

// twin "if (**p) *(*p)++ = 0;" => "*(*p)++ = 0;\n\tif (**p) ;"

void test(struct str a, struct str delimiters) {
    require_string(a);
    require_string(delimiters);
    char *rest = NULL;
    for (char *token = strtok_r(a.s, delimiters.s, &rest); token; token = strtok_r(NULL, delimiters.s, &rest))
        ;
    __VERIFIER_assert(!rest);
}
