/* After NetBSD's tsearch of a key, its tfind finds the key. */

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

// twin "q->key = vkey;" => ""
// twin 2 "*rootp = q;" => "rootp = &q;"
// twin 3 "rootp = (r < 0) ?\n\t\t    &(*rootp)->llink :\t\t/* T3: follow left branch */\n\t\t    &(*rootp)->rlink;\t\t/* T4: follow right branch */\n\t}\n\n\tq =" => "rootp = (r > 0) ?\n\t\t    &(*rootp)->llink :\n\t\t    &(*rootp)->rlink;\n\t}\n\n\tq ="

void test(node_t *root, int key) {
    if (!netbsd_tsearch(key, &root))
        __VERIFIER_ignore();
    node_t *found = netbsd_tfind(key, &root);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
