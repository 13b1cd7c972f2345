/* A search sets the parents on its way; from where it ends, the way up leads to the root, and no node on it is its own parent. */
extern void __VERIFIER_assert(int condition);

struct tree { int key; struct tree *left, *right, *parent; };

void test(struct tree *root, int key) {
    struct tree *above = 0, *at = root;
    while (at) {
        at->parent = above;
        above = at;
        if (at->key == key)
            break;
        at = key < at->key ? at->left : at->right;
    }
    struct tree *top = above;
    while (top && top->parent) {
        __VERIFIER_assert(top->parent->left == top || top->parent->right == top);
        top = top->parent;
    }
    __VERIFIER_assert(top == root);
}
