/* Linux's and newlib's strcspn count the same. */

// include verifier.h
// include strings.h

// extract linux_strchr strchr=linux_strchr

// extract linux_strcspn strcspn=linux_strcspn strchr=linux_strchr

// extract newlib_strcspn strcspn=newlib_strcspn

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    __VERIFIER_assert(linux_strcspn(a.s, set.s) == newlib_strcspn(a.s, set.s));
}

// twin "if (*c)" => "if (!*c)"
