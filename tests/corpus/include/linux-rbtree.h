/* The red-black trees of Linux. The word of the parent and the colour is two fields here; a node holds its key. */
#define READ_ONCE(place) (place)
#define WRITE_ONCE(place, value) ((place) = (value))
#define RB_RED 0
#define RB_BLACK 1
#define rb_parent(node) ((node)->parent)
#define RB_EMPTY_NODE(node) ((node)->parent == (node))

struct rb_node {
    int key;
    struct rb_node *rb_left;
    struct rb_node *rb_right;
    struct rb_node *parent;
    _Bool color;
};
struct rb_root {
    struct rb_node *rb_node;
};

/* Sets the parents on the way to a key, which inputs do not have, and gives the node where the way ends, or NULL in an empty tree. */
static struct rb_node *set_parents_on_way(struct rb_root *root, int key) {
    struct rb_node *parent = NULL;
    for (struct rb_node *node = root->rb_node; node != NULL;) {
        node->parent = parent;
        parent = node;
        if (node->key == key)
            break;
        node = key < node->key ? node->rb_left : node->rb_right;
    }
    return parent;
}
