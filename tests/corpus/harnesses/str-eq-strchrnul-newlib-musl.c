/* newlib's strchrnul and musl's portable one find the same place. */

// include verifier.h
// include strings.h

extern char *strchr(const char *s, int c);
extern size_t strlen(const char *s);

// extract newlib_strchrnul strchrnul=newlib_strchrnul

// extract musl_strchrnul __strchrnul=musl_strchrnul
// rewrite "#ifdef __GNUC__" => "#if 0"

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(newlib_strchrnul(a.s, c) == musl_strchrnul(a.s, c));
}

// twin "for (; *s && *(unsigned char *)s != c; s++);" => "for (; *s && *s != c; s++);"
