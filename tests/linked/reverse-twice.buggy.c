/* A list reversed twice has its first element in front again. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { int data; struct node *next; };

static struct node *reverse(struct node *list) {
    struct node *reversed = 0;
    while (list && list->next) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

void test(struct node *list) {
    struct node *first = list;
    __VERIFIER_assert(reverse(reverse(list)) == first);
}
