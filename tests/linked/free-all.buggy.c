/* All nodes of a list are freed, each behind the look at the next one. */
extern void free(void *block);

struct node { struct node *next; int data; };

void test(struct node *list) {
    while (list) {
        free(list);
        struct node *next = list->next;
        list = next;
    }
}
