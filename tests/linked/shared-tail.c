/* Two lists share the rest of a third one, and both ways lead there. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *one = list, *other = list;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->data = 0;
        node->next = one;
        one = node;
    }
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->data = 0;
        node->next = other;
        other = node;
    }
    while (one && one != list)
        one = one->next;
    __VERIFIER_assert(one == list);
    while (other && other != list)
        other = other->next;
    __VERIFIER_assert(other == list);
}
