/* Takes the nodes with this value out and frees them. */
extern void free(void *block);

struct node {
    int data;
    struct node *next;
};

struct node *test(struct node *list, int value)
{
    struct node *head = list, *last = 0;
    while (list != 0) {
        struct node *next = list->next;
        if (list->data == value) {
            if (last == 0)
                head = next;
            else
                last->next = next;
            free(list);
        } else {
            last = list;
        }
        list = next;
    }
    return head;
}
