/* The words of verification, and the types that functions of C libraries want. */
#define NULL ((void *)0)
typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
extern void __VERIFIER_ignore(void);
extern void __VERIFIER_fail(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(size_t size);
extern void free(void *block);

static int sign(int n) {
    return n < 0 ? -1 : n > 0;
}
