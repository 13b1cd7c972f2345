/* Linux's sysfs_streq stays in its strings. */

// include verifier.h
// include strings.h

// extract linux_sysfs_streq bool=_Bool true=1 false=0

// twin "while (*s1 && *s1 == *s2)" => "while (*s1 == *s2)"
// twin 2 "if (!*s1 && *s2 == '\\n' && !s2[1])" => "if (!s2[1] && *s2 == '\\n' && !*s1)"

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    sysfs_streq(a.s, b.s);
}
