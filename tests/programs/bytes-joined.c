// Four bytes that are put together to a word are what shifts and masks take out of it again.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int condition);

static unsigned join(const unsigned char *at) {
    return at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

void test(void) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    unsigned word = join(bytes);
    __VERIFIER_assert((word & 255) == bytes[0]);
    __VERIFIER_assert((word >> 8 & 255) == bytes[1]);
    __VERIFIER_assert((word >> 16 & 255) == bytes[2]);
    __VERIFIER_assert(word >> 24 == bytes[3]);
}
