/* A node of a tree is freed twice: the tree is rotated until its root has no left child. */
extern void free(void *block);

struct node {
    int key;
    struct node *left, *right;
};

void test(struct node *tree) {
    while (tree) {
        struct node *left = tree->left;
        if (left) {
            tree->left = left->right;
            left->right = tree;
            tree = left;
        } else {
            struct node *right = tree->right;
            free(tree);
            if (right && right->left == right->right)
                free(tree);
            tree = right;
        }
    }
}
