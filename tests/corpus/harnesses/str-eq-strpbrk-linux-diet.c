/* Linux's and dietlibc's strpbrk find the same place. */

// include verifier.h
// include strings.h

// extract linux_strpbrk strpbrk=linux_strpbrk

// extract diet_strpbrk strpbrk=diet_strpbrk

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    __VERIFIER_assert(linux_strpbrk(a.s, set.s) == diet_strpbrk(a.s, set.s));
}

// twin "return (char*)s;" => "return (char*)(s + i);"
