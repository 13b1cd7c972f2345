/* Where git's skip_prefix succeeds, the string is the prefix with the rest behind it. */

// include verifier.h
// include strings.h

// extract git_skip_prefix

// twin "*str++ == *prefix++" => "*str++ <= *prefix++"
// twin 2 "*out = str;" => "*out = str + 1;"

void test(struct str a, struct str prefix) {
    require_string(a);
    int length = string_length(prefix);
    const char *rest = NULL;
    if (!skip_prefix(a.s, prefix.s, &rest))
        return;
    __VERIFIER_assert(rest == a.s + length);
    for (int i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] == prefix.s[i]);
}
