/* After NetBSD's tdelete of a key, its tfind does not find the key. */

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

// twin "if (r->llink == NULL) {" => "if (r->llink != NULL) {"
// twin 2 "*rootp = q;\t\t\t\t/* link" => "/* link"
// twin 3 "free(*rootp);\t\t\t\t/* D4: Free node */\n\t*rootp = q;" => "*rootp = q;\n\tfree(*rootp);"

void test(node_t *root, int key) {
    /* Where a search for the key goes on after the deletion, it is not there: neither on the way to the successor of the node, whose
       keys are larger, nor left of it, whose keys are smaller. */
    node_t *node = netbsd_tfind(key, &root);
    __VERIFIER_assume(node != NULL);
    for (node_t *right = node->rlink; right != NULL; right = right->llink)
        __VERIFIER_assume(right->key > key);
    for (node_t *left = node->llink; left != NULL; left = left->rlink)
        __VERIFIER_assume(left->key < key);
    netbsd_tdelete(key, &root);
    __VERIFIER_assert(netbsd_tfind(key, &root) == NULL);
}
