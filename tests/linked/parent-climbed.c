/* Every child knows its parent: wherever one has come to by first children, one climbs back to the root, and the children there know it. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *next, *parent, *children; };

/* Lets every child point to its parent. */
static void link_up(struct node *parent) {
    for (struct node *child = parent->children; child; child = child->next)
        child->parent = parent;
}

/* Descends so many levels, as far as there are any, by first children; those on the way and beside it know their parents. */
static struct node *descend(struct node *node, int levels) {
    link_up(node);
    for (; levels > 0 && node->children; levels--) {
        node = node->children;
        link_up(node);
    }
    return node;
}

static struct node *climb(struct node *node) {
    while (node->parent)
        node = node->parent;
    return node;
}

void test(struct node *root, int levels) {
    __VERIFIER_assume(root);
    root->parent = 0;
    struct node *parent = descend(root, levels);
    for (struct node *child = parent->children; child; child = child->next)
        __VERIFIER_assert(child->parent == parent);
    __VERIFIER_assert(climb(parent) == root);
}
