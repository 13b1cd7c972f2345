/* Two lists are compared, the ends first. */

struct node {
    struct node *next;
    int data;
};

static int equal(const struct node *one, const struct node *two) {
    if (!one && !two)
        return one == two;
    int same = one->data == two->data;
    return equal(one->next, two->next) && same;
}

void test(struct node *one, struct node *two) {
    equal(one, two);
}
