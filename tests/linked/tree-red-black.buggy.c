/* No red node has a red child: a tree is made from below, and a walk down and up by parent pointers never sees one. But the right child may be red. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int red; struct node *left, *right, *parent; };

static struct node *make(int red, struct node *left, struct node *right) {
    struct node *node = malloc(sizeof *node);
    if (node) {
        node->red = red;
        node->left = left;
        node->right = right;
        node->parent = 0;
        if (left)
            left->parent = node;
        if (right)
            right->parent = node;
    }
    return node;
}

static int is_red(struct node *node) {
    return node && node->red;
}

void test(void) {
    struct node *root = 0, *other = 0;
    while (__VERIFIER_nondet_int()) {
        int red = __VERIFIER_nondet_int();
        red = red && !is_red(root) ? 1 : 0;
        root = make(red, root, other);
        if (!root)
            return;
        other = 0;
        if (__VERIFIER_nondet_int()) {
            other = root;
            root = 0;
        }
    }
    struct node *at = root;
    while (at) {
        if (at->red && at->parent)
            __VERIFIER_assert(!at->parent->red);
        int way = __VERIFIER_nondet_int();
        at = way == 0 ? at->left : way == 1 ? at->right : at->parent;
    }
}
