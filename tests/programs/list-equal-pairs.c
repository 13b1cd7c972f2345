/* Two equal lists are equal still after an equal element has been put behind the same place of each, in two ways. */
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { struct node *next; int key; };

static struct node *at(struct node *list, int place) {
    for (; list && place > 0; place--)
        list = list->next;
    return list;
}

static void put_behind(struct node *place, struct node *element) {
    element->next = place->next;
    place->next = element;
}

static void put_behind_by_swap(struct node *place, struct node *element) {
    struct node *next = place->next;
    place->next = element;
    place->next->next = next;
}

void test(struct node *a, struct node *b, struct node *element_of_a, struct node *element_of_b, int place) {
    struct node *x = a, *y = b;
    for (; x && y; x = x->next, y = y->next)
        __VERIFIER_assume(x->key == y->key);
    __VERIFIER_assume(!x && !y);
    __VERIFIER_assume(element_of_a && element_of_b && element_of_a->key == element_of_b->key);

    struct node *place_in_a = at(a, place), *place_in_b = at(b, place);
    __VERIFIER_assume(place_in_a != 0);
    __VERIFIER_assert(place_in_b != 0);
    put_behind(place_in_a, element_of_a);
    put_behind_by_swap(place_in_b, element_of_b);

    for (x = a, y = b; x && y; x = x->next, y = y->next)
        __VERIFIER_assert(x->key == y->key);
    __VERIFIER_assert(!x && !y);
}
