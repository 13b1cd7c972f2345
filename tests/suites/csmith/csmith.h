/* What programs out of Csmith include, in words of our own: arithmetic that is never undefined, and a checksum.
   With SUITE_CHECKSUM the program fails where it comes to another one; else it shows it. */

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

/* Signed arithmetic is done in the unsigned type of the same width: the bits are those of wrapping around. */
#define SUITE_ARITHMETIC(SIGNED, UNSIGNED, LEAST) \
    static SIGNED safe_unary_minus_func_##SIGNED##_s(SIGNED a) { return (SIGNED)(0 - (UNSIGNED)a); } \
    static SIGNED safe_add_func_##SIGNED##_s_s(SIGNED a, SIGNED b) { return (SIGNED)((UNSIGNED)a + (UNSIGNED)b); } \
    static SIGNED safe_sub_func_##SIGNED##_s_s(SIGNED a, SIGNED b) { return (SIGNED)((UNSIGNED)a - (UNSIGNED)b); } \
    static SIGNED safe_mul_func_##SIGNED##_s_s(SIGNED a, SIGNED b) { return (SIGNED)((uint64_t)(UNSIGNED)a * (UNSIGNED)b); } \
    static SIGNED safe_div_func_##SIGNED##_s_s(SIGNED a, SIGNED b) { return b == 0 || (a == LEAST && b == -1) ? a : (SIGNED)(a / b); } \
    static SIGNED safe_mod_func_##SIGNED##_s_s(SIGNED a, SIGNED b) { return b == 0 || (a == LEAST && b == -1) ? a : (SIGNED)(a % b); } \
    static SIGNED safe_lshift_func_##SIGNED##_s_s(SIGNED a, int b) { \
        return b < 0 || b >= (int)sizeof(SIGNED) * 8 ? a : (SIGNED)((UNSIGNED)a << b); \
    } \
    static SIGNED safe_lshift_func_##SIGNED##_s_u(SIGNED a, unsigned b) { \
        return b >= sizeof(SIGNED) * 8 ? a : (SIGNED)((UNSIGNED)a << b); \
    } \
    static SIGNED safe_rshift_func_##SIGNED##_s_s(SIGNED a, int b) { \
        return b < 0 || b >= (int)sizeof(SIGNED) * 8 ? a : (SIGNED)(a >> b); \
    } \
    static SIGNED safe_rshift_func_##SIGNED##_s_u(SIGNED a, unsigned b) { return b >= sizeof(SIGNED) * 8 ? a : (SIGNED)(a >> b); } \
    static UNSIGNED safe_unary_minus_func_##UNSIGNED##_u(UNSIGNED a) { return (UNSIGNED)-a; } \
    static UNSIGNED safe_add_func_##UNSIGNED##_u_u(UNSIGNED a, UNSIGNED b) { return (UNSIGNED)(a + b); } \
    static UNSIGNED safe_sub_func_##UNSIGNED##_u_u(UNSIGNED a, UNSIGNED b) { return (UNSIGNED)(a - b); } \
    static UNSIGNED safe_mul_func_##UNSIGNED##_u_u(UNSIGNED a, UNSIGNED b) { return (UNSIGNED)((uint64_t)a * b); } \
    static UNSIGNED safe_div_func_##UNSIGNED##_u_u(UNSIGNED a, UNSIGNED b) { return b == 0 ? a : (UNSIGNED)(a / b); } \
    static UNSIGNED safe_mod_func_##UNSIGNED##_u_u(UNSIGNED a, UNSIGNED b) { return b == 0 ? a : (UNSIGNED)(a % b); } \
    static UNSIGNED safe_lshift_func_##UNSIGNED##_u_s(UNSIGNED a, int b) { \
        return b < 0 || b >= (int)sizeof(UNSIGNED) * 8 ? a : (UNSIGNED)(a << b); \
    } \
    static UNSIGNED safe_lshift_func_##UNSIGNED##_u_u(UNSIGNED a, unsigned b) { \
        return b >= sizeof(UNSIGNED) * 8 ? a : (UNSIGNED)(a << b); \
    } \
    static UNSIGNED safe_rshift_func_##UNSIGNED##_u_s(UNSIGNED a, int b) { \
        return b < 0 || b >= (int)sizeof(UNSIGNED) * 8 ? a : (UNSIGNED)(a >> b); \
    } \
    static UNSIGNED safe_rshift_func_##UNSIGNED##_u_u(UNSIGNED a, unsigned b) { return b >= sizeof(UNSIGNED) * 8 ? a : (UNSIGNED)(a >> b); }

SUITE_ARITHMETIC(int8_t, uint8_t, -128)
SUITE_ARITHMETIC(int16_t, uint16_t, -32768)
SUITE_ARITHMETIC(int32_t, uint32_t, -2147483647 - 1)
SUITE_ARITHMETIC(int64_t, uint64_t, -9223372036854775807L - 1)

static uint64_t crc32_context = 14695981039346656037UL;

static void platform_main_begin(void) {}
static void crc32_gentab(void) {}

/* Of the hash FNV-1a, with a whole value in the place of a byte. */
static void transparent_crc(uint64_t value, char *name, int flag) {
    crc32_context = (crc32_context ^ value) * 1099511628211UL;
}

#ifdef SUITE_CHECKSUM
static void platform_main_end(uint64_t checksum, int flag) {
    if (checksum != SUITE_CHECKSUM)
        __VERIFIER_fail();
}
#else
int printf(const char *, ...);

static void platform_main_end(uint64_t checksum, int flag) {
    printf("checksum %luUL\n", checksum);
}
#endif
