/* A rotation to the left anywhere in a tree whose nodes know what is above them, with colours; the way up still ends at the root. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right, *parent; int data; };

void test(struct node *root) {
    if (!root)
        return;
    root->parent = 0;
    struct node *at = root;
    while (__VERIFIER_nondet_int()) {
        struct node *child = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!child)
            break;
        child->parent = at;
        at = child;
    }
    struct node *right = at->right;
    if (!right)
        return;
    at->right = right->left;
    if (right->left)
        right->left->parent = at;
    right->parent = at->parent;
    if (!at->parent)
        root = right;
    else if (at->parent->left == at)
        at->parent->left = right;
    else
        at->parent->right = right;
    right->left = at;
    at->parent = right;
    at->data = 1;
    right->data = 0;
    __VERIFIER_assert(!at->right || at->right->parent == at);
    while (at->parent) {
        __VERIFIER_assert(at->parent->left == at || at->parent->right == at);
        at = at->parent;
    }
    __VERIFIER_assert(at == root);
}
