/* A node becomes a child of another one, behind the child at a place, or before all others: there is one child more. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *next, *children; };

static unsigned count(struct node *parent) {
    unsigned n = 0;
    for (struct node *child = parent->children; child; child = child->next)
        n++;
    return n;
}

static void insert(struct node *parent, struct node *node, int place) {
    struct node *before = parent->children;
    for (; before && place > 0; place--)
        before = before->next;
    if (before) {
        node->next = before->next ? before->next->next : 0;
        before->next = node;
    } else {
        node->next = parent->children;
        parent->children = node;
    }
}

void test(struct node *parent, struct node *node, int place) {
    __VERIFIER_assume(parent && node);
    unsigned before = count(parent);
    insert(parent, node, place);
    __VERIFIER_assert(count(parent) == before + 1);
}
