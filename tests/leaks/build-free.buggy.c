/* Builds a list, and goes through it instead of freeing it. */
extern void *malloc(unsigned long size);

struct node {
    int data;
    struct node *next;
};

extern int __VERIFIER_nondet_int(void);

int test(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (node == 0)
            break;
        node->next = list;
        list = node;
    }
    while (list != 0) {
        struct node *next = list->next;
        list = next;
    }
    return 0;
}
