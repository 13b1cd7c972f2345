/* A string copied by klibc's strcpy compares equal, by musl's strcmp, to the original. */

// include verifier.h
// include strings.h

// extract klibc_strcpy

// extract musl_strcmp

// twin "target.n_s >= source.n_s" => "target.n_s > 0"
// twin 2 "} while (ch);" => "} while (ch && *p);"

void test(struct str source, struct str target) {
    require_string(source);
    __VERIFIER_assume(target.n_s >= source.n_s);
    __VERIFIER_assert(strcpy(target.s, source.s) == target.s);
    __VERIFIER_assert(strcmp(target.s, source.s) == 0);
}
