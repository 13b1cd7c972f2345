/* Linux's strnstr, told the length of the string, stays in it. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract linux_memcmp __visible=

// extract linux_strnstr

// twin "while (len >= l2)" => "do"
// twin "s1++;\n\t}" => "s1++;\n\t} while (len >= l2);"

void test(struct str a, struct str needle) {
    size_t length = (size_t)string_length(a);
    require_string(needle);
    strnstr(a.s, needle.s, length);
}
