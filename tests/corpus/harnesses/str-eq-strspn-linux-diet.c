/* Linux's and dietlibc's strspn count the same. */

// include verifier.h
// include strings.h

// extract linux_strchr strchr=linux_strchr

// extract linux_strspn strspn=linux_strspn strchr=linux_strchr

// extract diet_strspn strspn=diet_strspn

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    __VERIFIER_assert(linux_strspn(a.s, set.s) == diet_strspn(a.s, set.s));
}

// twin "for (a = accept; *a && *s != *a; a++);" => "for (a = accept; *s != *a; a++);"
