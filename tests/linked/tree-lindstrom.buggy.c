/* A tree is walked without a stack by rotating its pointers (Lindstrom). */
extern void *malloc(unsigned long size);
extern void free(void *block);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    if (!root)
        return;
    struct node *end = malloc(sizeof *end);
    if (!end)
        return;
    end->left = end->right = 0;
    end->data = 0;
    struct node *last = end, *at = root;
    while (at != end) {
        struct node *next = at->left;
        at->left = at->right;
        at->right = last;
        last = at;
        at = next;
        if (!at && last->data) {
            at = last;
            last = 0;
        }
    }
    free(end);
}
