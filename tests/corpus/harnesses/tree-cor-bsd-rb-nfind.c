/* The RB_NFIND of the BSDs gives the node that RB_FIND gives, or else one with a larger key, or none. */

// include verifier.h
// include bsd-rbtree.h

// extract netbsd_RB_GENERATE_FIND

// extract netbsd_RB_GENERATE_NFIND

RB_GENERATE_FIND(tree, entry, field, compare_entries, static)
RB_GENERATE_NFIND(tree, entry, field, compare_entries, static)

// twin "res = tmp;" => "res = RB_LEFT(tmp, field);"
// twin 2 "struct type *res = NULL;" => "struct type *res = tmp;"
// twin 3 "if (comp < 0) {" => "if (comp <= 0) {"

void test(struct entry *root, int key) {
    struct tree tree;
    tree.rbh_root = root;
    struct entry wanted;
    wanted.key = key;
    struct entry *found = tree_RB_FIND(&tree, &wanted);
    struct entry *next = tree_RB_NFIND(&tree, &wanted);
    if (found != NULL)
        __VERIFIER_assert(next == found);
    else
        __VERIFIER_assert(next == NULL || next->key > key);
}
