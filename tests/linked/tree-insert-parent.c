/* A leaf is put anywhere into a tree; the nodes on the way know what is above them, and the way up ends at the root. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { struct node *left, *right, *parent; int data; };

void test(struct node *root) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->left = node->right = node->parent = 0;
    struct node *above = 0, *at = root;
    int to_left = 0;
    while (at) {
        at->parent = above;
        above = at;
        to_left = __VERIFIER_nondet_int();
        at = to_left ? at->left : at->right;
    }
    node->parent = above;
    if (!above)
        root = node;
    else if (to_left)
        above->left = node;
    else
        above->right = node;
    at = node;
    while (at->parent) {
        __VERIFIER_assert(at->parent->left == at || at->parent->right == at);
        at = at->parent;
    }
    __VERIFIER_assert(at == root);
}
