/* NetBSD's tdelete of another key of a search tree leaves its least key to be found. */

// include verifier.h
// include search.h
// include netbsd-tree.h

// extract netbsd_tdelete tdelete=netbsd_tdelete __restrict=
// rewrite "const void * vkey" => "int vkey"
// rewrite "void      ** vrootp," => "node_t **vrootp)"
// rewrite "\tint       (*compar)(const void *, const void *))" => ""
// rewrite "(node_t **)vrootp" => "vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"

// extract netbsd_tfind tfind=netbsd_tfind
// rewrite "void **vrootp," => "node_t **vrootp)"
// rewrite "\tint (*compar)(const void *, const void *))" => ""
// rewrite "const void *vkey" => "int vkey"
// rewrite "(node_t **)vrootp" => "vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"

// twin "q->llink = (*rootp)->llink;" => ""
// twin 2 "r->llink = q;" => ""
// twin 3 "if ((q = (*rootp)->llink) == NULL)" => "if ((q = (*rootp)->llink) == NULL || r == NULL)"

void test(node_t *root, int key) {
    /* The least key stands at the end of the left links; those above it ascend. */
    node_t *least = root;
    __VERIFIER_assume(least != NULL);
    for (; least->llink != NULL; least = least->llink)
        __VERIFIER_assume(least->llink->key < least->key);
    int extreme = least->key;
    __VERIFIER_assume(key > extreme);
    /* What takes the place of the deleted node is larger, too. */
    node_t *node = netbsd_tfind(key, &root);
    if (node != NULL)
        for (node_t *right = node->rlink; right != NULL; right = right->llink)
            __VERIFIER_assume(right->key > key);
    netbsd_tdelete(key, &root);
    node_t *found = netbsd_tfind(extreme, &root);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == extreme);
}
