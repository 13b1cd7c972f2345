/* OpenBSD's strlcat, told the size of the target, stays in it, even where the target holds no terminator. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract openbsd_strlcat

// twin "n-- != 0 && *d != '\\0'" => "*d != '\\0' && n-- != 0"
// twin 2 "if (n == 0)\n\t\treturn(dlen + strlen(s));" => ""

void test(struct str target, struct str source) {
    require_string(source);
    strlcat(target.s, source.s, (size_t)target.n_s);
}
