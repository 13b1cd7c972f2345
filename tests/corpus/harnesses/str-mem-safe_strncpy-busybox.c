/* busybox's safe_strncpy stays in its target and leaves it terminated, if there is any. */

// include verifier.h
// include strings.h

// extract linux_strncpy

// extract busybox_safe_strncpy FAST_FUNC=

// twin "dst[--size]" => "dst[size]"
// twin 2 "dst[--size]" => "dst[size - 1]"

void test(struct str target, struct str source) {
    require_string(source);
    __VERIFIER_assert(safe_strncpy(target.s, source.s, (size_t)target.n_s) == target.s);
    if (target.n_s > 0)
        __VERIFIER_assert(target.s[target.n_s - 1] == 0);
}
