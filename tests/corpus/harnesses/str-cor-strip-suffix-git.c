/* Where git's strip_suffix_mem succeeds, the length becomes less by that of the suffix; else it stays. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract linux_memcmp __visible=

// extract git_strip_suffix_mem

// twin "*len -= suflen;" => "*len -= suflen + 1;"
// twin 2 "*len < suflen || " => ""

void test(struct str a, struct str suffix) {
    size_t before = (size_t)string_length(a);
    size_t suffix_length = (size_t)string_length(suffix);
    size_t length = before;
    if (strip_suffix_mem(a.s, &length, suffix.s))
        __VERIFIER_assert(suffix_length <= before && length == before - suffix_length);
    else
        __VERIFIER_assert(length == before);
}
