/* The tfind of musl and that of NetBSD find the same node of a tree. */

// include verifier.h
// include search.h
// include musl-tree.h

// extract musl_tfind tfind=musl_tfind cmp=compar
// rewrite "const void *key, void *const *rootp,\n\tint(*compar)(const void *, const void *))" => "int key, struct node *const *rootp)"
// rewrite "n->a[c>0]" => "*child(n, c > 0)"

// extract netbsd_tfind tfind=netbsd_tfind llink=left rlink=right
// rewrite "const void *vkey" => "int vkey"
// rewrite "void **vrootp," => "struct node **vrootp)"
// rewrite "\tint (*compar)(const void *, const void *))" => ""
// rewrite "node_t **rootp = (node_t **)vrootp" => "struct node **rootp = vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"

// twin "*child(n, c > 0)" => "*child(n, c < 0)"
// twin 2 "if (!c)\n\t\t\tbreak;" => "if (!c && n->left)\n\t\t\tbreak;"
// twin 3 "rootp = (r < 0) ?" => "rootp = (r < -1) ?"

void test(struct node *root, int key) {
    __VERIFIER_assert(musl_tfind(key, &root) == netbsd_tfind(key, &root));
}
