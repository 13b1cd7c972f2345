/* newlib's and Linux's strpbrk find the same place. */

// include verifier.h
// include strings.h

// extract newlib_strpbrk strpbrk=newlib_strpbrk

// extract linux_strpbrk strpbrk=linux_strpbrk

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    __VERIFIER_assert(newlib_strpbrk(a.s, set.s) == linux_strpbrk(a.s, set.s));
}

// twin "s1 = NULL;" => ";"
