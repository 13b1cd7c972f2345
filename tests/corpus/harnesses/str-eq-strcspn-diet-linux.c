/* dietlibc's and Linux's strcspn count the same. */

// include verifier.h
// include strings.h

// extract linux_strchr strchr=linux_strchr

// extract diet_strcspn strcspn=diet_strcspn

// extract linux_strcspn strcspn=linux_strcspn strchr=linux_strchr

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    __VERIFIER_assert(diet_strcspn(a.s, set.s) == linux_strcspn(a.s, set.s));
}

// twin "for (i=0; reject[i]; ++i)" => "for (i=1; reject[i]; ++i)"
