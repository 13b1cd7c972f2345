/* What the red-black trees of the BSDs want; an entry holds its key. */
#define RB_LEFT(elm, field) (elm)->field.rbe_left
#define RB_RIGHT(elm, field) (elm)->field.rbe_right
#define RB_PARENT(elm, field) (elm)->field.rbe_parent
#define RB_ROOT(head) (head)->rbh_root
#define RB_AUGMENT(elm)

struct links {
    struct entry *rbe_left;
    struct entry *rbe_right;
    struct entry *rbe_parent;
};
struct entry {
    int key;
    struct links field;
};
struct tree {
    struct entry *rbh_root;
};

static int compare_entries(struct entry *a, struct entry *b) {
    return a->key < b->key ? -1 : a->key > b->key;
}
