/* GLib's balanced trees. A node says whether it has children; without one, its pointer may be anything. */
typedef struct _GTreeNode GTreeNode;
struct _GTreeNode {
    gpointer key;
    GTreeNode *left;
    GTreeNode *right;
    signed char balance;
    _Bool left_child;
    _Bool right_child;
};
typedef struct _GTree {
    GTreeNode *root;
} GTree;

/* Keeps a node that says truly whether it has children. */
static void require_flags(GTreeNode *node) {
    __VERIFIER_assume(node->left_child == (node->left != NULL));
    __VERIFIER_assume(node->right_child == (node->right != NULL));
}

/* The same for all nodes on the way to a key. */
static void require_flags_on_way(GTreeNode *node, int key) {
    while (node != NULL) {
        require_flags(node);
        if (node->key == key)
            break;
        node = key < node->key ? node->left : node->right;
    }
}
