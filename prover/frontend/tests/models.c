/* Runs each model (`model_NAME`) beside the library's NAME on many small inputs. What C leaves open, the models take from
 * __VERIFIER_nondet: here from the variable `choice`, and a false assumption tries the next choice. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static int choice;
static jmp_buf retry;
int __VERIFIER_nondet_int(void) { return choice; }
long __VERIFIER_nondet_long(void) { return choice; }
char __VERIFIER_nondet_char(void) { return choice; }
unsigned char __VERIFIER_nondet_uchar(void) { return choice; }
_Bool __VERIFIER_nondet_bool(void) { return choice > 0; }
void __VERIFIER_ignore(void) { longjmp(retry, 1); }
void __VERIFIER_assume(int condition) { if (!condition) longjmp(retry, 1); }

static void disagree(const char *name, const char *a, const char *b, long n)
{
    printf("%s disagrees on \"%s\", \"%s\", %ld\n", name, a, b, n);
    exit(1);
}
static int sign(long n) { return (n > 0) - (n < 0); }
static int truth(long n) { return n != 0; }
static int same(long n) { return n; }

/* Is there a choice under which the model gives what the library gives? And is there none under which it gives anything else? */
#define AGREE(VIEW, NAME, RESULT, ...) do { \
    static volatile int met; met = 0; long expected = NAME(__VA_ARGS__); \
    for (choice = -1; choice <= 1; choice++) { \
        if (setjmp(retry)) continue; \
        RESULT model_##NAME(); \
        if (VIEW((long)model_##NAME(__VA_ARGS__)) != VIEW(expected)) disagree(#NAME, a, b, n); \
        met = 1; \
    } \
    if (!met) disagree(#NAME " (no choice)", a, b, n); \
} while (0)

/* The same effect on a buffer, and the same result. */
#define CHANGE(TYPE, NAME, RESULT, ...) do { \
    TYPE one[32], two[32]; TYPE *to = one; RESULT model_##NAME(); \
    memcpy(one, start, sizeof one); memcpy(two, start, sizeof two); \
    long first = (long)NAME(__VA_ARGS__) - (long)to; to = two; \
    long second = (long)model_##NAME(__VA_ARGS__) - (long)to; \
    if (first != second || memcmp(one, two, sizeof one) != 0) disagree(#NAME, a, b, n); \
} while (0)
#define EFFECT(NAME, ...) do { \
    char one[32], two[32]; char *to = one; void model_##NAME(); \
    memcpy(one, start, sizeof one); memcpy(two, start, sizeof two); \
    NAME(__VA_ARGS__); to = two; model_##NAME(__VA_ARGS__); \
    if (memcmp(one, two, sizeof one) != 0) disagree(#NAME, a, b, n); \
} while (0)

static void widen(wchar_t *to, const char *from) { do *to++ = *from; while (*from++); }

static void strings(const char *a, const char *b, int c, long n)
{
    AGREE(same, strlen, unsigned long, a);
    AGREE(same, strtol, long, a, (char **)0, 10);
    AGREE(same, strtoul, unsigned long, a, (char **)0, (int)n == 1 ? 0 : (int)n * 7);
    AGREE(same, strnlen, unsigned long, a, n);
    AGREE(sign, strcmp, int, a, b);
    AGREE(sign, strcoll, int, a, b);
    AGREE(sign, strncmp, int, a, b, n);
    AGREE(sign, strcasecmp, int, a, b);
    AGREE(sign, strncasecmp, int, a, b, n);
    AGREE(sign, memcmp, int, a, b, n < 5 ? n : 5);
    AGREE(truth, bcmp, int, a, b, n < 5 ? n : 5);
    AGREE(same, strchr, char *, a, c);
    AGREE(same, strrchr, char *, a, c);
    AGREE(same, index, char *, a, c);
    AGREE(same, rindex, char *, a, c);
    AGREE(same, strchrnul, char *, a, c);
    AGREE(same, memchr, void *, a, c, n < 5 ? n : 5);
    AGREE(same, memrchr, void *, a, c, n < 5 ? n : 5);
    AGREE(same, rawmemchr, void *, a, 0);
    AGREE(same, strspn, unsigned long, a, b);
    AGREE(same, strcspn, unsigned long, a, b);
    AGREE(same, strpbrk, char *, a, b);
    AGREE(same, strstr, char *, a, b);
    AGREE(same, atoi, int, a);
    AGREE(same, atol, long, a);
    AGREE(same, atoll, long long, a);

    char start[32] = "ab";
    memset(start + 3, 'x', sizeof start - 4);
    CHANGE(char, strcpy, char *, to, b);
    CHANGE(char, stpcpy, char *, to, b);
    CHANGE(char, strncpy, char *, to, b, n);
    CHANGE(char, stpncpy, char *, to, b, n);
    CHANGE(char, strcat, char *, to, b);
    CHANGE(char, strncat, char *, to, b, n);
    long limit = n < 5 ? n : 5;
    CHANGE(char, memcpy, void *, to, b, limit);
    CHANGE(char, mempcpy, void *, to, b, limit);
    CHANGE(char, memset, void *, to, c, n);
    CHANGE(char, memmove, void *, to + limit, to + 2, n);
    CHANGE(char, memmove, void *, to, b, limit);
    char *end = memccpy((char[32]){ 0 }, b, c, limit);
    char *model_end, *copy = (char[32]){ 0 };
    void *model_memccpy();
    model_end = model_memccpy(copy, b, c, limit);
    if (!end != !model_end || memcmp(copy, b, model_end ? model_end - copy : limit) != 0) disagree("memccpy", a, b, n);
    EFFECT(bzero, to, n);
    EFFECT(explicit_bzero, to, n);
    EFFECT(bcopy, to + 2, to + limit, n);
    char one[32], two[32], *rest_one = one, *rest_two = two, *model_strsep();
    strcpy(one, a);
    strcpy(two, a);
    for (int i = 0; i < 7; i++) {
        char *first = strsep(&rest_one, b), *second = model_strsep(&rest_two, b);
        if (!first != !second || first && strcmp(first, second) != 0 || !rest_one != !rest_two) disagree("strsep", a, b, n);
    }
    char *place_one = one, *place_two = two, *model_strtok(), *model_strtok_r();
    char whole[2][32];
    strcpy(one, a);
    strcpy(two, a);
    strcpy(whole[0], a);
    strcpy(whole[1], a);
    for (int i = 0; i < 7; i++) {
        char *first = strtok(i ? NULL : whole[0], b), *second = model_strtok(i ? NULL : whole[1], b);
        if (!first != !second || first && strcmp(first, second) != 0) disagree("strtok", a, b, n);
        first = strtok_r(NULL, b, &place_one), second = model_strtok_r(NULL, b, &place_two);
        if (!first != !second || first && strcmp(first, second) != 0) disagree("strtok_r", a, b, n);
    }
    char *model_strdup(), *model_strndup();
    char *copies[] = { strdup(a), model_strdup(a), strndup(a, n), model_strndup(a, n) };
    if (strcmp(copies[0], copies[1]) != 0 || strcmp(copies[2], copies[3]) != 0) disagree("strdup", a, b, n);
    for (int i = 0; i < 4; i++)
        free(copies[i]);
    /* Newer than some libraries: their definition, word by word. */
    unsigned long model_strlcpy(), model_strlcat();
    memcpy(one, start, sizeof one);
    if (model_strlcpy(one, b, n) != strlen(b)) disagree("strlcpy", a, b, n);
    if (n > 0 && (strncmp(one, b, n - 1) != 0 || strlen(one) >= n)) disagree("strlcpy", a, b, n);
    if (n == 0 && memcmp(one, start, sizeof one) != 0) disagree("strlcpy", a, b, n);
    memcpy(one, start, sizeof one);
    if (model_strlcat(one, b, n) != (n < 2 ? n : 2) + strlen(b)) disagree("strlcat", a, b, n);
    if (n > 2 && (strncmp(one, "ab", 2) != 0 || strncmp(one + 2, b, n - 3) != 0 || strlen(one) >= n)) disagree("strlcat", a, b, n);
    if (n <= 2 && memcmp(one, start, sizeof one) != 0) disagree("strlcat", a, b, n);
}

static void wide_strings(const char *a, const char *b, int c, long n)
{
    wchar_t s[8], t[8], start[32] = L"ab";
    widen(s, a);
    widen(t, b);
    wmemset(start + 3, 'x', 28);
    long limit = n < 5 ? n : 5;
    AGREE(same, wcslen, unsigned long, s);
    AGREE(same, wcsnlen, unsigned long, s, n);
    AGREE(sign, wcscmp, int, s, t);
    AGREE(sign, wcsncmp, int, s, t, n);
    AGREE(sign, wmemcmp, int, s, t, wcslen(s) < wcslen(t) ? wcslen(s) : wcslen(t));
    AGREE(same, wcschr, wchar_t *, s, c);
    AGREE(same, wcsrchr, wchar_t *, s, c);
    AGREE(same, wmemchr, wchar_t *, s, c, wcslen(s));
    AGREE(same, wcsspn, unsigned long, s, t);
    AGREE(same, wcscspn, unsigned long, s, t);
    AGREE(same, wcspbrk, wchar_t *, s, t);
    AGREE(same, wcsstr, wchar_t *, s, t);
    CHANGE(wchar_t, wcscpy, wchar_t *, to, t);
    CHANGE(wchar_t, wcpcpy, wchar_t *, to, t);
    CHANGE(wchar_t, wcsncpy, wchar_t *, to, t, n);
    CHANGE(wchar_t, wcscat, wchar_t *, to, t);
    CHANGE(wchar_t, wcsncat, wchar_t *, to, t, n);
    CHANGE(wchar_t, wmemset, wchar_t *, to, c, n);
    CHANGE(wchar_t, wmemcpy, wchar_t *, to, t, 1 + wcslen(t));
    CHANGE(wchar_t, wmemmove, wchar_t *, to + limit, to + 2, n);
}

static void characters(void)
{
    const char *a = "", *b = "";
    for (long n = -1; n < 256; n++) {
        AGREE(truth, isalnum, int, n);
        AGREE(truth, isalpha, int, n);
        AGREE(truth, isblank, int, n);
        AGREE(truth, iscntrl, int, n);
        AGREE(truth, isdigit, int, n);
        AGREE(truth, isgraph, int, n);
        AGREE(truth, islower, int, n);
        AGREE(truth, isprint, int, n);
        AGREE(truth, ispunct, int, n);
        AGREE(truth, isspace, int, n);
        AGREE(truth, isupper, int, n);
        AGREE(truth, isxdigit, int, n);
        AGREE(truth, isascii, int, n);
        AGREE(same, toascii, int, n);
        AGREE(same, tolower, int, n);
        AGREE(same, toupper, int, n);
        AGREE(same, abs, int, n);
        AGREE(same, labs, long, n);
        AGREE(same, llabs, long long, n);
    }
}

/* Calls a model against its one condition: that objects do not overlap, or that the value is a character. */
static int violate(const char *name)
{
    char text[32] = "abc";
    int wide[32] = { 'a', 'b', 'c' };
    void *model_memcpy(), *model_mempcpy(), *model_memccpy();
    char *model_strncat();
    unsigned long model_strlcpy(), model_strlcat();
    int *model_wcsncat(), *model_wcsncpy();
    char *model_strcpy(), *model_stpcpy(), *model_strncpy(), *model_stpncpy(), *model_strcat();
    int *model_wmemcpy(), *model_wcscpy(), *model_wcpcpy(), *model_wcscat();
    int model_isalnum(), model_isalpha(), model_isblank(), model_iscntrl(), model_isdigit(), model_isgraph(), model_islower(), model_isprint();
    int model_ispunct(), model_isspace(), model_isupper(), model_isxdigit(), model_tolower(), model_toupper();
#define BREAK(NAME, ...) if (strcmp(name, #NAME) == 0) { model_##NAME(__VA_ARGS__); return 0; }
    BREAK(memcpy, text + 1, text, 2ul)
    BREAK(mempcpy, text, text + 1, 2ul)
    BREAK(memccpy, text + 1, text, 'z', 2ul)
    BREAK(strcpy, text + 1, text)
    BREAK(stpcpy, text + 3, text)
    BREAK(strncpy, text + 3, text, 8ul)
    BREAK(stpncpy, text, text + 5, 8ul)
    BREAK(strcat, text, text + 2)
    long model_strtol();
    long long model_strtoll();
    unsigned long model_strtoul();
    unsigned long long model_strtoull();
    int model_fputs(), model_fputc(), model_putc();
    char *model_fgets();
    BREAK(strtol, text, (char **)0, 1)
    BREAK(strtoll, text, (char **)0, -2)
    BREAK(strtoul, text, (char **)0, 37)
    BREAK(strtoull, text, (char **)0, 1)
    BREAK(fputs, "x", (void *)0)
    BREAK(fputc, 'x', (void *)0)
    BREAK(putc, 'x', (void *)0)
    BREAK(fgets, text, 0, (void *)text)
    BREAK(strncat, text, text + 2, 5ul)
    BREAK(strlcpy, text + 1, text, 5ul)
    BREAK(strlcat, text, text + 2, 8ul)
    BREAK(wcsncat, wide, wide + 2, 5ul)
    BREAK(wcsncpy, wide, wide + 1, 2ul)
    BREAK(wmemcpy, wide + 1, wide, 2ul)
    BREAK(wcscpy, wide, wide)
    BREAK(wcpcpy, wide + 1, wide)
    BREAK(wcscat, wide, wide + 1)
    int model___builtin_clz(), model___builtin_clzl(), model___builtin_clzll();
    int model___builtin_ctz(), model___builtin_ctzl(), model___builtin_ctzll();
    BREAK(__builtin_clz, 0u)
    BREAK(__builtin_clzl, 0ul)
    BREAK(__builtin_clzll, 0ull)
    BREAK(__builtin_ctz, 0u)
    BREAK(__builtin_ctzl, 0ul)
    BREAK(__builtin_ctzll, 0ull)
    BREAK(isalnum, 256)
    BREAK(isalpha, 100000000)
    BREAK(isblank, -129)
    BREAK(iscntrl, 256)
    BREAK(isdigit, 256)
    BREAK(isgraph, 256)
    BREAK(islower, 256)
    BREAK(isprint, 256)
    BREAK(ispunct, 256)
    BREAK(isspace, 256)
    BREAK(isupper, 256)
    BREAK(isxdigit, 256)
    BREAK(tolower, 256)
    BREAK(toupper, -129)
    return 0;
}

/* Numbers at the limits, with what comes after them. */
static void numbers(void)
{
    static const char *const texts[] = {
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615 ", "18446744073709551616",
        "-1", " \t+12ab", "0x1fG", "0x", "0xg", "077", "08", "0", "", "-", "zz", "-0x8000000000000000", "0XFFFFFFFFFFFFFFFFF",
    };
    static const int bases[] = { 0, 2, 8, 10, 16, 36 };
    long model_strtol(), n = 0;
    long long model_strtoll();
    unsigned long model_strtoul();
    unsigned long long model_strtoull();
    const char *b = "";
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
            const char *a = texts[i];
            char *one, *two;
            n = bases[j];
            if (strtol(a, &one, bases[j]) != model_strtol(a, &two, bases[j]) || one != two) disagree("strtol", a, b, n);
            if (strtoll(a, &one, bases[j]) != model_strtoll(a, &two, bases[j]) || one != two) disagree("strtoll", a, b, n);
            if (strtoul(a, &one, bases[j]) != model_strtoul(a, &two, bases[j]) || one != two) disagree("strtoul", a, b, n);
            if (strtoull(a, &one, bases[j]) != model_strtoull(a, &two, bases[j]) || one != two) disagree("strtoull", a, b, n);
        }
}

static void bits(void)
{
    const char *a = "", *b = "";
    for (long n = 1; n < 300; n++)
        for (int shift = 0; shift < 56; shift += 7) {
            unsigned long wide = (unsigned long)n << shift;
            unsigned narrow = (unsigned)wide;
            AGREE(same, __builtin_popcount, int, narrow);
            AGREE(same, ffs, int, (int)narrow);
            AGREE(same, ffsl, int, (long)wide);
            AGREE(same, ffsll, int, -(long long)wide);
            AGREE(same, __builtin_popcountl, int, wide);
            AGREE(same, __builtin_popcountll, int, (unsigned long long)wide);
            AGREE(same, __builtin_clzl, int, wide);
            AGREE(same, __builtin_clzll, int, (unsigned long long)wide);
            AGREE(same, __builtin_ctzl, int, wide);
            AGREE(same, __builtin_ctzll, int, (unsigned long long)wide);
            if (narrow != 0) {
                AGREE(same, __builtin_clz, int, narrow);
                AGREE(same, __builtin_ctz, int, narrow);
            }
            AGREE(same, __builtin_bswap32, unsigned, narrow);
            AGREE(same, __builtin_bswap64, unsigned long, wide);
            AGREE(same, htonl, unsigned, narrow);
            AGREE(same, ntohl, unsigned, narrow);
            unsigned short model_htons(unsigned short), model_ntohs(unsigned short);
            if (model_htons((unsigned short)narrow) != htons((unsigned short)narrow)) disagree("htons", a, b, n);
            if (model_ntohs((unsigned short)narrow) != ntohs((unsigned short)narrow)) disagree("ntohs", a, b, n);
            unsigned short model___builtin_bswap16(unsigned short);
            if (model___builtin_bswap16((unsigned short)narrow) != __builtin_bswap16((unsigned short)narrow)) disagree("bswap16", a, b, n);
        }
}

int main(int count_of_arguments, char **arguments)
{
    if (count_of_arguments > 1)
        return violate(arguments[1]);
    bits();
    numbers();
    static const char letters[] = "aAb\xe9 -1";
    static char words[400][8];
    int count = 1;
    for (int i = 0; i < count && count < 393; i++)
        for (int j = 0; j < 7; j++) {
            strcpy(words[count], words[i]);
            words[count][strlen(words[i])] = letters[j];
            count++;
        }
    for (int i = 0; i < count; i += 1 + i / 60)
        for (int j = 0; j < count; j += 1 + j / 60)
            for (long n = 0; n < 6; n++) {
                strings(words[i], words[j], letters[(i + j) % 8], n);
                wide_strings(words[i], words[j], letters[(i + j) % 8], n);
            }
    characters();
    return 0;
}
