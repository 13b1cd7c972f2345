/* NetBSD's tsearch of a key makes no other absent key found. */

// include verifier.h
// include search.h
// include netbsd-tree.h

// extract netbsd_tsearch tsearch=netbsd_tsearch
// rewrite "void **vrootp," => "node_t **vrootp)"
// rewrite "\tint (*compar)(const void *, const void *))" => ""
// rewrite "const void *vkey" => "int vkey"
// rewrite "(node_t **)vrootp" => "vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"
// rewrite "(void *)vkey" => "vkey"

// extract netbsd_tfind tfind=netbsd_tfind
// rewrite "void **vrootp," => "node_t **vrootp)"
// rewrite "\tint (*compar)(const void *, const void *))" => ""
// rewrite "const void *vkey" => "int vkey"
// rewrite "(node_t **)vrootp" => "vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"

// twin "q->key = vkey;" => "q->key = vkey + 1;"
// twin 2 "q->llink = q->rlink = NULL;" => "q->llink = NULL;"

void test(node_t *root, int key, int other) {
    __VERIFIER_assume(other != key);
    __VERIFIER_assume(netbsd_tfind(other, &root) == NULL);
    if (!netbsd_tsearch(key, &root))
        __VERIFIER_ignore();
    __VERIFIER_assert(netbsd_tfind(other, &root) == NULL);
}
