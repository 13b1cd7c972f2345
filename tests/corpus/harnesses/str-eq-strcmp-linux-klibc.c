/* Linux's and klibc's strcmp have the same sign. */

// include verifier.h
// include strings.h

// extract linux_strcmp strcmp=linux_strcmp

// extract klibc_strcmp strcmp=klibc_strcmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linux_strcmp(a.s, b.s)) == sign(klibc_strcmp(a.s, b.s)));
}

// twin "if (d || !ch)" => "if (d)"
