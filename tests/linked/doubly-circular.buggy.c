/* A circular doubly linked list with a header is built, some of it is deleted, and it is walked backwards. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct node { struct node *next, *prev; int data; };

void test(void) {
    struct node *head = malloc(sizeof *head);
    if (!head)
        return;
    head->next = head->prev = head;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        struct node *next = head->next;
        node->next = next;
        node->prev = head;
        next->prev = node;
        head->next = node;
    }
    struct node *at = head->next;
    while (at != head) {
        struct node *next = at->next;
        if (__VERIFIER_nondet_int()) {
            at->prev->next = next;
            free(at);
        }
        at = next;
    }
    for (at = head->prev; at != head; at = at->prev)
        __VERIFIER_assert(at->prev->next == at);
}
