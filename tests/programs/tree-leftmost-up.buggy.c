/* Down to the leftmost node of a tree, pointing back to where one has come from, and up again, one node too far. */
extern void __VERIFIER_assert(int condition);

struct node {
    int key;
    struct node *left, *right, *parent;
};

void test(struct node *tree) {
    if (!tree)
        return;
    struct node *node = tree;
    node->parent = 0;
    while (node->left) {
        node->left->parent = node;
        node = node->left;
    }
    while (node)
        node = node->parent;
    __VERIFIER_assert(node != 0);
}
