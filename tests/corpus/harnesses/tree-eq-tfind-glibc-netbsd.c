/* The tfind of glibc and that of NetBSD find the same node of a tree. */

// include verifier.h
// include search.h

#define CHECK_TREE(root)

// extract glibc_tsearch_plain_node_macros
// rewrite "const void *key" => "int key"
// rewrite "unsigned int is_red:1" => "_Bool is_red"

// extract glibc_tfind __tfind=glibc_tfind
// rewrite "const void *key" => "int key"
// rewrite ", __compar_fn_t compar" => ""
// rewrite "void *const *vrootp" => "node *vrootp"
// rewrite "(node *) vrootp" => "vrootp"
// rewrite "(*compar) (" => "compar ("

// extract netbsd_tfind tfind=netbsd_tfind llink=left_node rlink=right_node
// rewrite "const void *vkey" => "int vkey"
// rewrite "void **vrootp," => "node *vrootp)"
// rewrite "\tint (*compar)(const void *, const void *))" => ""
// rewrite "node_t **rootp = (node_t **)vrootp" => "node *rootp = vrootp"
// rewrite "(*compar)(vkey" => "compar(vkey"

// twin "rootp = r < 0 ? LEFTPTR(root) : RIGHTPTR(root);" => "rootp = r <= 0 ? RIGHTPTR(root) : LEFTPTR(root);"
// twin 2 "while (DEREFNODEPTR(rootp) != NULL)" => "while (LEFT(root) != NULL && DEREFNODEPTR(rootp) != NULL)"
// twin 3 "rootp = (r < 0) ?" => "rootp = (r < -1) ?"

void test(node root, int key) {
    __VERIFIER_assert(glibc_tfind(key, &root) == netbsd_tfind(key, &root));
}
