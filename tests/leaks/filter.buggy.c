/* Takes the nodes with this value out and does not free them. */
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
        } else {
            last = list;
        }
        list = next;
    }
    return head;
}
