/* dietlibc's strrchr, unrolled four times, and Linux's find the same place. */

// include verifier.h
// include strings.h

// extract diet_strrchr strrchr=diet_strrchr __unlikely=

// extract linux_strrchr strrchr=linux_strrchr

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(diet_strrchr(a.s, c) == linux_strrchr(a.s, c));
}

// twin "register char ch;" => "register unsigned char ch;"
