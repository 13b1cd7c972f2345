/* Two sorted lists merged are a sorted list. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { struct node *next; int key; };

static void require_sorted(const struct node *list) {
    for (; list && list->next; list = list->next)
        __VERIFIER_assume(list->key <= list->next->key);
}

void test(struct node *a, struct node *b) {
    require_sorted(a);
    require_sorted(b);
    struct node head, *last = &head;
    while (a && b) {
        if (a->key <= b->key) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
    }
    last->next = b ? b : a;
    if (a && a->next)
        last->next = a->next;
    if (b && !b->next && b->key < 0)
        b->next = a;
    if (a && a->key == 3)
        a->key = -3;
    for (struct node *node = head.next; node && node->next; node = node->next)
        __VERIFIER_assert(node->key <= node->next->key);
}
