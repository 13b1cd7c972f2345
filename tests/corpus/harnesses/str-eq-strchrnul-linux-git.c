/* Linux's strchrnul and git's gitstrchrnul find the same place for every int. They do not: git's does not convert c to
   char, so that it never finds an int outside the range of char. */

// include verifier.h
// include strings.h

// extract linux_strchrnul strchrnul=linux_strchrnul

// extract git_gitstrchrnul

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(linux_strchrnul(a.s, c) == gitstrchrnul(a.s, c));
}
