/* Takes the second node out and frees it. */
extern void free(void *block);

struct node {
    int data;
    struct node *next;
};

void test(struct node *list)
{
    if (list == 0 || list->next == 0)
        return;
    struct node *second = list->next;
    list->next = second->next;
    free(second);
}
