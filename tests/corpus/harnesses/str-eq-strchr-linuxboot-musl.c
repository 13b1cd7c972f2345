/* The strchr of Linux's boot code and musl's find the same place. */

// include verifier.h
// include strings.h

extern size_t strlen(const char *s);

// extract linuxboot_strchr strchr=linuxboot_strchr

// extract musl_strchrnul
// rewrite "#ifdef __GNUC__" => "#if 0"

// extract musl_strchr strchr=musl_strchr

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(linuxboot_strchr(a.s, c) == musl_strchr(a.s, c));
}

// twin "return *(unsigned char *)r == (unsigned char)c ? r : 0;" => "return *r ? r : 0;"
