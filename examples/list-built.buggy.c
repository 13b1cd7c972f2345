/* A list of any length, built under nondeterministic conditions as verification tasks have it: reversed, it has as many elements as were put in. */

extern int __VERIFIER_nondet_int(void);
extern void assume_abort_if_not(int condition);
extern void reach_error(void);
extern void abort(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct node {
    struct node *next;
    int data;
};

static struct node *reverse(struct node *list) {
    struct node *reversed = 0;
    while (list) {
        struct node *rest = list->next;
        list->next = reversed && reversed->data == list->data ? reversed->next : reversed;
        reversed = list;
        list = rest;
    }
    return reversed;
}

int test(void) {
    struct node *list = 0;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof(struct node));
        if (!node)
            abort();
        node->data = __VERIFIER_nondet_int();
        assume_abort_if_not(node->data >= 0);
        node->next = list;
        list = node;
        count++;
    }
    list = reverse(list);
    while (list) {
        struct node *rest = list->next;
        free(list);
        list = rest;
        count--;
    }
    if (count != 0)
        reach_error();
    return 0;
}
