/* A tree is walked depth first: marks say which children have been seen, and the pointers to what is above lead back. */
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right, *parent; int data; };

void test(struct node *root) {
    struct node *at = root;
    if (at) {
        at->parent = 0;
        at->data = 0;
    }
    while (at) {
        struct node *child;
        if (at->data == 0) {
            at->data = 1;
            child = at->left;
        } else if (at->data == 1) {
            at->data = 2;
            child = at->right;
        } else {
            at = at->parent;
            continue;
        }
        if (child) {
            child->data = 0;
            at = child;
        }
    }
    if (root)
        __VERIFIER_assert(root->data == 2 && !root->parent);
}
