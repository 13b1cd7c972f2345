/* musl's search for a needle of two characters stays in a haystack that is not empty. */

// include verifier.h
// include strings.h

typedef unsigned short uint16_t;

// extract musl_twobyte_strstr

// twin "for (h++; *h && hw != nw" => "for (h++; hw != nw"

void test(struct str haystack, struct str needle) {
    __VERIFIER_assume(string_length(haystack) >= 1 && string_length(needle) == 2);
    twobyte_strstr((unsigned char *)haystack.s, (unsigned char *)needle.s);
}
