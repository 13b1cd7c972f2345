/* Down to the leftmost node of a tree, pointing back to where one has come from, and up again to the root. */
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
    while (node->parent)
        node = node->parent;
    __VERIFIER_assert(node == tree);
}
