/* The nodes of musl's tsearch: the array of two children is two fields here; keys are integers. */
struct node {
    int key;
    struct node *left, *right;
    int h;
};

/* The child on a side: 0 is the left one. */
static struct node **child(struct node *n, int side) {
    return side ? &n->right : &n->left;
}

/* No balanced tree in memory is higher. */
#define MAXH 96

static int is_height(int h) {
    return 0 < h && h <= MAXH;
}

/* The stored heights of a node's children are those of nodes. */
static void require_heights(struct node *n) {
    __VERIFIER_assume(n->left == NULL || is_height(n->left->h));
    __VERIFIER_assume(n->right == NULL || is_height(n->right->h));
}
