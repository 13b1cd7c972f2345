/* OpenBSD's strlcpy, told the size of the target, stays in it. */

// include verifier.h
// include strings.h

// extract openbsd_strlcpy

// twin "if (siz != 0)\n\t\t\t*d" => "*d"
// twin 2 "while (--n != 0)" => "while (n-- != 0)"

void test(struct str target, struct str source) {
    require_string(source);
    strlcpy(target.s, source.s, (size_t)target.n_s);
}
