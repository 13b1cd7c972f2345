/* Linux's strchrnul and git's gitstrchrnul find the same place for every char. */

// include verifier.h
// include strings.h

// extract linux_strchrnul strchrnul=linux_strchrnul

// extract git_gitstrchrnul

void test(struct str a, char c) {
    require_string(a);
    __VERIFIER_assert(linux_strchrnul(a.s, c) == gitstrchrnul(a.s, c));
}

// twin "while (*s && *s != c)" => "while (*s != c)"
