/* After Linux's memset, memchr_inv (the bytewise part) finds no other byte. */

// include verifier.h
// include strings.h

typedef unsigned char u8;
typedef unsigned long u64;

// extract linux_memset memset=linux_memset

// extract linux_check_bytes8

// extract linux_memchr_inv
// rewrite "if (bytes <= 16)\n\t\treturn check_bytes8(start, value, bytes);\n\n\tvalue64 = value;" => "return check_bytes8(start, value, bytes);\n\n#if 0"
// rewrite "return check_bytes8(start, value, bytes % 8);" => "#endif"

// twin "while (count--)" => "while (count-- > 1)"
// twin 2 "u8 value = c;" => "char value = c;"
// twin 2 "check_bytes8(const u8 *start, u8 value," => "check_bytes8(const u8 *start, char value,"

void test(struct str a, int c) {
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(linux_memset(a.s, c, size) == a.s);
    __VERIFIER_assert(!memchr_inv(a.s, c, size));
}
