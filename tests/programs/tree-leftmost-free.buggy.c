/* The leftmost node of a tree is freed, and looked at again. */
extern void free(void *block);

struct node {
    int key;
    struct node *left, *right;
};

void test(struct node *tree) {
    struct node *above = 0;
    struct node *node = tree;
    if (!node)
        return;
    while (node->left) {
        above = node;
        node = node->left;
    }
    if (above)
        above->left = node;
    else
        tree = node->right;
    free(node);
    while (tree && tree->left)
        tree = tree->left;
}
