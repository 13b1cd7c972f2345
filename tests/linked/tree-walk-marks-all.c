/* A depth-first walk marks all nodes of a tree. */
extern int __VERIFIER_nondet_int(void);
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
            child->parent = at;
            child->data = 0;
            at = child;
        }
    }
    while (root) {
        __VERIFIER_assert(root->data == 2);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
}
