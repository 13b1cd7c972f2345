/* The SPLAY_ROTATE_RIGHT of the BSDs keeps what is found. */

// include verifier.h
// include bsd-splay.h

// extract netbsd_SPLAY_ROTATE_RIGHT

// twin "SPLAY_RIGHT(tmp, field) = (head)->sph_root;" => "SPLAY_LEFT(tmp, field) = (head)->sph_root;"
// twin 2 "SPLAY_LEFT((head)->sph_root, field) = SPLAY_RIGHT(tmp, field);" => "SPLAY_LEFT((head)->sph_root, field) = NULL;"

void test(struct entry *root, int key) {
    struct head head;
    head.sph_root = root;
    __VERIFIER_assume(root != NULL);
    struct entry *left = SPLAY_LEFT(root, field);
    __VERIFIER_assume(left != NULL);
    /* These two are in order; nothing is known of the others. */
    __VERIFIER_assume(left->key < root->key);
    __VERIFIER_assume(find(&head, key) != NULL);
    SPLAY_ROTATE_RIGHT(&head, left, field);
    struct entry *found = find(&head, key);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
