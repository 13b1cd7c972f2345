/* The least element by a comparator that is handed on as a pointer to a function. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { int data; struct node *next; };
typedef int (*comparator)(int, int);

static int ascending(int a, int b) { return (a > b) - (a < b); }
static int descending(int a, int b) { return a == b ? 0 : ascending(b, a) + 1; }

static struct node *best(struct node *list, comparator compare) {
    struct node *best = list;
    for (; list; list = list->next)
        if (compare(list->data, best->data) < 0)
            best = list;
    return best;
}

void test(struct node *list) {
    struct node *least = best(list, ascending), *greatest = best(list, &descending);
    for (; list; list = list->next) {
        __VERIFIER_assert(least->data <= list->data);
        __VERIFIER_assert(greatest->data >= list->data);
    }
}
