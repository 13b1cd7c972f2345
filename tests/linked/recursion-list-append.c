/* A list is appended to another one, and what comes of it is freed. */

extern void free(void *block);

struct node {
    struct node *next;
    int value;
};

static struct node *append(struct node *first, struct node *second) {
    if (!first)
        return second;
    first->next = append(first->next, second);
    return first;
}

static void destroy(struct node *list) {
    if (!list)
        return;
    destroy(list->next);
    free(list);
}

void test(struct node *first, struct node *second) {
    destroy(append(first, second));
}
