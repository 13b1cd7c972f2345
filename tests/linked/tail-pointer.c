/* A header with a pointer to the last link: appending needs no walk. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { int data; struct node *next; };
struct list { struct node *head; struct node **tail; };

static void append(struct list *list, struct node *node) {
    node->next = 0;
    *list->tail = node;
    list->tail = &node->next;
}

void test(int n) {
    struct list list;
    list.head = 0;
    list.tail = &list.head;
    int count = 0;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->data = i;
        append(&list, node);
        count++;
    }
    int place = 0;
    for (struct node *node = list.head; node; node = node->next) {
        __VERIFIER_assert(node->data == place);
        place++;
    }
    __VERIFIER_assert(place == count);
}
