/* Linux's strncpy copies at most n characters of a string and fills the rest of the n with zeros. */

// include verifier.h
// include strings.h

// extract linux_strncpy

// twin "while (count) {" => "while (count > 1) {"
// twin 2 "if ((*tmp = *src) != 0)" => "if ((*tmp = *src) != 0 || count > 1)"

void test(struct str target, struct str source) {
    require_string(source);
    size_t size = (size_t)target.n_s;
    __VERIFIER_assert(strncpy(target.s, source.s, size) == target.s);
    size_t i = 0;
    for (; i < size && source.s[i] != 0; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
    for (; i < size; i++)
        __VERIFIER_assert(target.s[i] == 0);
}
