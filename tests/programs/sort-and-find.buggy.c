/* The buggy twin of sort-and-find.c: one element too many is sorted. */

typedef unsigned long size_t;
extern void __VERIFIER_assert(int condition);
extern void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

/* An array input: a points to exactly n_a elements. */
struct ints {
    int *a;
    int n_a;
};

static int compare(const void *one, const void *other) {
    int x = *(const int *)one, y = *(const int *)other;
    return (x > y) - (x < y);
}

void test(struct ints in, int key) {
    qsort(in.a, in.n_a + 1, sizeof in.a[0], compare);
    int *found = bsearch(&key, in.a, in.n_a, sizeof in.a[0], compare);
    if (found)
        __VERIFIER_assert(*found == key);
}
