/* Linux's strim stays in its string. */

// include verifier.h
// include strings.h

extern int isspace(int character);

// extract linux_strlen

// extract linux_skip_spaces

// extract linux_strim

// twin "end >= s && " => ""

void test(struct str a) {
    require_string(a);
    strim(a.s);
}
