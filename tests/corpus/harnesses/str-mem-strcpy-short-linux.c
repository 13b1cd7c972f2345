/* Linux's strcpy stays in any target (it does not: there must be room). */

// include verifier.h
// include strings.h

// extract linux_strcpy

void test(struct str source, struct str target) {
    require_string(source);
    strcpy(target.s, source.s);
}
