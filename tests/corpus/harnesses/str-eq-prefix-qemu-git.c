/* QEMU's strstart and git's skip_prefix agree and give the same rest. */

// include verifier.h
// include strings.h

// extract qemu_strstart

// extract git_skip_prefix

// twin "*ptr = p;" => "*ptr = p + 1;"
// twin 2 "while (*q != '\\0')" => "while (*p != '\\0' && *q != '\\0')"

void test(struct str a, struct str prefix) {
    require_string(a);
    require_string(prefix);
    const char *rest = NULL;
    const char *other_rest = NULL;
    __VERIFIER_assert(!strstart(a.s, prefix.s, &rest) == !skip_prefix(a.s, prefix.s, &other_rest));
    __VERIFIER_assert(rest == other_rest);
}
