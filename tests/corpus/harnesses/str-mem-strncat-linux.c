/* Linux's strncat stays in a target that has room for both strings. */

// include verifier.h
// include strings.h

// extract linux_strncat

// twin "dest++;\n\t\twhile ((*dest++" => "dest++;\n\t\tdest++;\n\t\twhile ((*dest++"

void test(struct str target, struct str source, size_t count) {
    size_t head = (size_t)string_length(target);
    size_t tail = (size_t)string_length(source);
    __VERIFIER_assume(head + tail < (size_t)target.n_s);
    __VERIFIER_assert(strncat(target.s, source.s, count) == target.s);
}
