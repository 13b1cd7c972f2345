/* QEMU's and Linux's strchrnul find the same place. */

// include verifier.h
// include strings.h

extern size_t strlen(const char *s);

// extract linux_strchr strchr=linux_strchr

// extract qemu_qemu_strchrnul strchr=linux_strchr

// extract linux_strchrnul strchrnul=linux_strchrnul

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(qemu_strchrnul(a.s, c) == linux_strchrnul(a.s, c));
}

// twin "e = s + strlen(s);" => "e = s + strlen(s) - 1;"
