/* Linux's and musl's strcmp have the same sign. */

// include verifier.h
// include strings.h

// extract linux_strcmp strcmp=linux_strcmp

// extract musl_strcmp strcmp=musl_strcmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linux_strcmp(a.s, b.s)) == sign(musl_strcmp(a.s, b.s)));
}

// twin "unsigned char c1, c2;" => "char c1, c2;"
