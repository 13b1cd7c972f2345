/* A list that knows its length: as many nodes are put in as the environment asks for, but no more than a bound allows. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void abort(void);

struct node {
    struct node *next;
    int data;
};

struct list {
    struct node *first;
    int length;
};

static void push(struct list *list, int data) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->data = data;
    node->next = list->first;
    list->first = node;
    list->length++;
}

static int count(const struct list *list) {
    int count = 0;
    for (const struct node *node = list->first; node; node = node->next)
        count++;
    return count;
}

void test(void) {
    struct list list = {0, 0};
    while (list.length < 100 && __VERIFIER_nondet_int())
        push(&list, __VERIFIER_nondet_int());
    __VERIFIER_assert(count(&list) == list.length);
}
