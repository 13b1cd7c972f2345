/* Linux's strim stays in its string. */

// include verifier.h
// include strings.h

/* White space, by Linux's table of characters. */
static int isspace(unsigned char c) {
    return c == ' ' || ('\t' <= c && c <= '\r') || c == 0xa0;
}

// extract linux_strlen

// extract linux_skip_spaces

// extract linux_strim

// twin "end >= s && " => ""

void test(struct str a) {
    require_string(a);
    strim(a.s);
}
