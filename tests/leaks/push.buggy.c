/* Puts a node in front and returns the list without it. */
extern void *malloc(unsigned long size);

struct node {
    int data;
    struct node *next;
};

struct node *test(struct node *list, int data)
{
    struct node *node = malloc(sizeof *node);
    if (node == 0)
        return list;
    node->data = data;
    node->next = list;
    return list;
}
