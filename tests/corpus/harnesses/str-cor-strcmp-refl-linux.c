/* Linux's strcmp of a string with itself is zero. */

// include verifier.h
// include strings.h

// extract linux_strcmp

// twin "if (c1 != c2)" => "if (c1 <= c2)"
// twin 2 "if (!c1)\n\t\t\tbreak;" => ""

void test(struct str a) {
    require_string(a);
    __VERIFIER_assert(strcmp(a.s, a.s) == 0);
}
