/* Exchanging the strings turns the sign of musl's strcmp. */

// include verifier.h
// include strings.h

// extract musl_strcmp

// twin "return *(unsigned char *)l -" => "return *l -"

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(strcmp(a.s, b.s)) == -sign(strcmp(b.s, a.s)));
}
