/* The RB_ROTATE_LEFT of the BSDs keeps what RB_FIND finds. */

// include verifier.h
// include bsd-rbtree.h

// extract netbsd_RB_ROTATE_LEFT

// extract netbsd_RB_GENERATE_FIND

RB_GENERATE_FIND(tree, entry, field, compare_entries, static)

// twin "if ((RB_RIGHT(elm, field) = RB_LEFT(tmp, field)) != NULL)" => "if ((RB_RIGHT(elm, field) = RB_RIGHT(tmp, field)) != NULL)"
// twin 2 "(head)->rbh_root = (tmp);" => ";"
// twin 3 "RB_LEFT(tmp, field) = (elm);" => "RB_RIGHT(tmp, field) = (elm);"

void test(struct entry *root, int place, int key) {
    struct tree tree;
    tree.rbh_root = root;
    /* The node that is rotated ends the way to a place; parents are set on this way. */
    struct entry *parent = NULL, *next = NULL;
    for (struct entry *node = root; node != NULL;) {
        RB_PARENT(node, field) = parent;
        parent = node;
        if (node->key == place)
            break;
        node = place < node->key ? RB_LEFT(node, field) : RB_RIGHT(node, field);
    }
    struct entry *upper = parent;
    __VERIFIER_assume(upper != NULL && RB_RIGHT(upper, field) != NULL);
    /* These two are in order; nothing is known of the others. */
    __VERIFIER_assume(upper->key < RB_RIGHT(upper, field)->key);
    struct entry wanted;
    wanted.key = key;
    __VERIFIER_assume(tree_RB_FIND(&tree, &wanted) != NULL);
    RB_ROTATE_LEFT(&tree, upper, next, field);
    struct entry *found = tree_RB_FIND(&tree, &wanted);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
    __VERIFIER_assert(RB_PARENT(upper, field) == next);
}
