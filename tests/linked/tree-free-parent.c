/* All nodes of a tree are freed without a stack: the pointers to what is above lead back. */
extern void free(void *block);

struct node { struct node *left, *right, *parent; int data; };

void test(struct node *root) {
    struct node *at = root;
    if (at)
        at->parent = 0;
    while (at) {
        struct node *child = at->left;
        if (child) {
            at->left = 0;
        } else {
            child = at->right;
            at->right = 0;
        }
        if (child) {
            child->parent = at;
            at = child;
        } else {
            struct node *above = at->parent;
            free(at);
            at = above;
        }
    }
}
