/* Takes the second node out and does not free it. */
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
}
