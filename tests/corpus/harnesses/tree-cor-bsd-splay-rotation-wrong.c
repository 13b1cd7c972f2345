/* The SPLAY_ROTATE_RIGHT of the BSDs keeps what is found in any tree (it does not, where the two nodes are out of order). */

// include verifier.h
// include bsd-splay.h

// extract netbsd_SPLAY_ROTATE_RIGHT

void test(struct entry *root, int key) {
    struct head head;
    head.sph_root = root;
    __VERIFIER_assume(root != NULL);
    struct entry *left = SPLAY_LEFT(root, field);
    __VERIFIER_assume(left != NULL);
    __VERIFIER_assume(find(&head, key) != NULL);
    SPLAY_ROTATE_RIGHT(&head, left, field);
    struct entry *found = find(&head, key);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
