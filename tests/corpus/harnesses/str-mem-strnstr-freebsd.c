/* FreeBSD's strnstr stays in its strings, whatever its bound. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract linux_strncmp

// extract freebsd_strnstr

// twin "if (slen-- < 1 || (sc = *s++) == '\\0')" => "sc = *s++;\n\t\t\t\tif (slen-- < 1)"

void test(struct str a, struct str needle, size_t bound) {
    require_string(a);
    require_string(needle);
    strnstr(a.s, needle.s, bound);
}
