/* Left children hold 1, right ones 2, the root 3. But not below left ones. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *left, *right; };

static struct node *make(int mark, struct node *left, struct node *right) {
    struct node *node = malloc(sizeof *node);
    if (node) {
        node->mark = mark;
        node->left = left;
        node->right = right;
    }
    return node;
}

void test(void) {
    struct node *left = 0, *right = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            right = make(2, left, __VERIFIER_nondet_int() ? right : 0);
        else
            left = make(1, right, __VERIFIER_nondet_int() ? left : 0);
        if (__VERIFIER_nondet_int())
            right = 0;
        else
            left = 0;
    }
    struct node *at = make(3, left, right);
    while (at) {
        struct node *next;
        if (__VERIFIER_nondet_int()) {
            next = at->left;
            if (next)
                __VERIFIER_assert(next->mark == 1);
        } else {
            next = at->right;
            if (next)
                __VERIFIER_assert(next->mark == 2);
        }
        at = next;
    }
}
