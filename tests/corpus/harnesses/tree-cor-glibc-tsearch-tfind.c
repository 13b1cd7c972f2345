/* After glibc's tsearch of a key in a search tree, its tfind finds the key. */

// include verifier.h
// include search.h

#define CHECK_TREE(root)

// extract glibc_tsearch_plain_node_macros
// rewrite "const void *key" => "int key"
// rewrite "unsigned int is_red:1" => "_Bool is_red"

// extract glibc_maybe_split_for_insert

// extract glibc_tsearch __tsearch=glibc_tsearch
// rewrite "const void *key" => "int key"
// rewrite ", __compar_fn_t compar" => ""
// rewrite "void **vrootp" => "node *vrootp"
// rewrite "(node *) vrootp" => "vrootp"
// rewrite "(*compar) (" => "compar ("

// extract glibc_tfind __tfind=glibc_tfind
// rewrite "const void *key" => "int key"
// rewrite ", __compar_fn_t compar" => ""
// rewrite "void *const *vrootp" => "node *vrootp"
// rewrite "(node *) vrootp" => "vrootp"
// rewrite "(*compar) (" => "compar ("

// twin "nextp = r < 0 ? LEFTPTR(root) : RIGHTPTR(root);" => "nextp = r > 0 ? LEFTPTR(root) : RIGHTPTR(root);"
// twin 2 "SETRIGHT(q,NULL);" => ""
// twin 3 "SETNODEPTR(gparentp,root);" => "SETNODEPTR(gparentp,gp);"
// twin 4 "SETNODEPTR(gparentp,p);" => "SETNODEPTR(gparentp,gp);"

void test(node root, int key) {
    /* Along the path of the key, each key lies between the bounds that those above set, as in a search tree; no two red nodes follow
       each other, and the root is black. */
    int has_lower = 0, has_upper = 0, lower = 0, upper = 0;
    _Bool was_red = 1;
    for (node n = root; n != NULL;) {
        __VERIFIER_assume(!was_red || !n->is_red);
        was_red = n->is_red;
        __VERIFIER_assume((!has_lower || lower < n->key) && (!has_upper || n->key < upper));
        if (key == n->key)
            break;
        if (key < n->key) {
            has_upper = 1;
            upper = n->key;
            n = n->left_node;
        } else {
            has_lower = 1;
            lower = n->key;
            n = n->right_node;
        }
    }
    if (!glibc_tsearch(key, &root))
        __VERIFIER_ignore();
    node found = glibc_tfind(key, &root);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
