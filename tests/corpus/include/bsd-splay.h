/* What the splay trees of the BSDs want; an entry holds its key. */
#define SPLAY_LEFT(elm, field) (elm)->field.spe_left
#define SPLAY_RIGHT(elm, field) (elm)->field.spe_right

struct links {
    struct entry *spe_left;
    struct entry *spe_right;
};
struct entry {
    int key;
    struct links field;
};
struct head {
    struct entry *sph_root;
};

static struct entry *find(struct head *head, int key) {
    struct entry *node = head->sph_root;
    while (node != NULL && node->key != key)
        node = key < node->key ? SPLAY_LEFT(node, field) : SPLAY_RIGHT(node, field);
    return node;
}
