/* Two lists are compared twice with the same answer. */

extern void __VERIFIER_assert(int condition);

struct node {
    struct node *next;
    int data;
};

static int equal(const struct node *one, const struct node *other) {
    while (one != 0 && other != 0 && one->data == other->data) {
        one = one->next;
        other = other->next;
    }
    return one == 0 && other == 0;
}

void test(struct node *one, struct node *other) {
    int first = equal(one, other);
    __VERIFIER_assert(equal(one, other) == first);
}
