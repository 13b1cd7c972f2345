/* A node becomes the last child of another one, which has one child more then. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *next, *children; };

static unsigned count(struct node *parent) {
    unsigned n = 0;
    for (struct node *child = parent->children; child; child = child->next)
        n++;
    return n;
}

static void append(struct node *parent, struct node *node) {
    node->next = 0;
    if (!parent->children) {
        parent->children = node;
        return;
    }
    struct node *last = parent->children;
    while (last->next)
        last = last->next;
    last->next = node->children;
}

void test(struct node *parent, struct node *node) {
    __VERIFIER_assume(parent && node);
    unsigned before = count(parent);
    append(parent, node);
    __VERIFIER_assert(count(parent) == before + 1);
}
