/* musl's portable strlen and Linux's count the same. */

// include verifier.h
// include strings.h

// extract musl_strlen strlen=musl_strlen
// rewrite "#ifdef __GNUC__" => "#if 0"

// extract linux_strlen strlen=linux_strlen

void test(struct str a) {
    require_string(a);
    __VERIFIER_assert(musl_strlen(a.s) == linux_strlen(a.s));
}

// twin "for (; *s; s++);" => "for (; *s++;);"
