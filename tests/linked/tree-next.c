/* The next node in order of any node of a binary tree whose parents a descent has set: one below it on the right, or the nearest above whose left
   side it is on. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct tree { struct tree *parent, *left, *right; };

static struct tree *next(struct tree *at) {
    if (at->right) {
        at = at->right;
        while (at->left)
            at = at->left;
        return at;
    }
    struct tree *above = at->parent;
    while (above && at == above->right) {
        at = above;
        above = above->parent;
    }
    return above;
}

void test(struct tree *root) {
    if (!root)
        return;
    struct tree *at = root;
    at->parent = 0;
    while (__VERIFIER_nondet_int()) {
        struct tree *below = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!below)
            break;
        below->parent = at;
        at = below;
    }
    struct tree *found = next(at);
    __VERIFIER_assert(found != at);
    if (found && !at->right)
        __VERIFIER_assert(found->left != 0);
}
