/* The first node with a value is taken out of a list; the rest is walked. */
extern void free(void *block);

struct node { struct node *next; int data; };

void test(struct node *list) {
    struct node *before = 0, *at = list;
    while (at && at->data != 1) {
        before = at;
        at = at->next;
    }
    if (at) {
        struct node *rest = at->next;
        if (before)
            before->next = rest;
        else
            list = rest;
        free(at);
    }
    for (; list; list = list->next)
        list->data = 0;
}
