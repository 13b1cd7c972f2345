/* All characters before the place that Linux's strspn gives are in the set; the one there is not. */

// include verifier.h
// include strings.h

// extract linux_strchr

// extract linux_strspn

// twin "if (!strchr(accept, *p))\n\t\t\tbreak;" => "if (!strchr(accept, *p++))\n\t\t\tbreak;"

void test(struct str a, struct str set) {
    require_string(a);
    require_string(set);
    size_t length = strspn(a.s, set.s);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] != 0 && strchr(set.s, a.s[i]));
    __VERIFIER_assert(a.s[length] == 0 || !strchr(set.s, a.s[length]));
}
