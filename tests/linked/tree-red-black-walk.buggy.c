/* No red node has a red child: a tree is made from below, and checked on a depth-first walk that sets and follows parent pointers. But the left child may be red. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int red; int done; struct node *left, *right, *parent; };

static struct node *make(int red, struct node *left, struct node *right) {
    struct node *node = malloc(sizeof *node);
    if (node) {
        node->red = red;
        node->done = 0;
        node->left = left;
        node->right = right;
        node->parent = 0;
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
        red = red && !is_red(other) ? 1 : 0;
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
        struct node *child;
        if (at->done == 0) {
            if (at->red) {
                __VERIFIER_assert(!is_red(at->left));
                __VERIFIER_assert(!is_red(at->right));
            }
            at->done = 1;
            child = at->left;
        } else if (at->done == 1) {
            at->done = 2;
            child = at->right;
        } else {
            at = at->parent;
            continue;
        }
        if (child) {
            child->parent = at;
            at = child;
        }
    }
}
