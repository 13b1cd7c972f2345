/* glibc's and newlib's strrchr, both of which call strchr in a loop, find the same place for every char. */

// include verifier.h
// include strings.h

// extract linux_strchr strchr=linux_strchr

// extract glibc_strrchr STRRCHR=glibc_strrchr strchr=linux_strchr

// extract newlib_strrchr strrchr=newlib_strrchr strchr=linux_strchr

void test(struct str a, char c) {
    require_string(a);
    __VERIFIER_assert(glibc_strrchr(a.s, c) == newlib_strrchr(a.s, c));
}

// twin "if (i)" => "if (1)"
