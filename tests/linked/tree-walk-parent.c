/* A tree is walked depth first by the pointers to what is above; the walk ends at the root. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right, *parent; int data; };

void test(struct node *root) {
    struct node *at = root, *from = 0;
    if (root)
        root->parent = 0;
    while (at) {
        struct node *above = at->parent, *next = above;
        if (from == above) {
            if (at->left)
                next = at->left;
            else if (at->right)
                next = at->right;
        } else if (from == at->left && at->right) {
            next = at->right;
        }
        if (next != above)
            next->parent = at;
        from = at;
        at = next;
    }
    __VERIFIER_assert(from == root);
}
