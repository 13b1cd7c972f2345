/* Every second node of a list changes places with the one before it; the list is as long as before. */
extern void __VERIFIER_assert(int condition);

struct node { int value; struct node *next; };

static unsigned length(struct node *list) {
    unsigned length = 0;
    for (; list; list = list->next)
        length++;
    return length;
}

void test(struct node *list) {
    unsigned before = length(list);
    struct node **place = &list;
    while (*place && (*place)->next) {
        struct node *first = *place, *second = first->next;
        first->next = second->next;
        second->next = first;
        *place = second;
        place = &first->next;
    }
    __VERIFIER_assert(length(list) == before);
}
