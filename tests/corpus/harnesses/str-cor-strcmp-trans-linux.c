/* The order of strings that Linux's strcmp gives is transitive. */

// include verifier.h
// include strings.h

// extract linux_strcmp

// twin "unsigned char c1, c2;" => "char c1;\n\tunsigned char c2;"

void test(struct str a, struct str b, struct str c) {
    require_string(a);
    require_string(b);
    require_string(c);
    if (strcmp(a.s, b.s) <= 0 && strcmp(b.s, c.s) <= 0)
        __VERIFIER_assert(strcmp(a.s, c.s) <= 0);
}
