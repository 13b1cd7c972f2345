/* dietlibc's small strcmp and musl's have the same sign. They do not: dietlibc compares plain char, which is signed. */

// include verifier.h
// include strings.h

// extract diet_strcmp strcmp=diet_strcmp
// rewrite "#ifdef WANT_SMALL_STRING_ROUTINES" => "#if 1"

// extract musl_strcmp strcmp=musl_strcmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(diet_strcmp(a.s, b.s)) == sign(musl_strcmp(a.s, b.s)));
}
