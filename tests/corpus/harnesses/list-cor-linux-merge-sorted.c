/* The merging step of Linux's list_sort makes of two sorted lists a sorted list of all their entries. */

// include verifier.h
// include linux-list.h

static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

// extract linux_merge
// rewrite "__attribute__((nonnull(2,3,4)))\n" => ""
// rewrite "void *priv, list_cmp_func_t cmp,\n\t\t\t\t" => ""
// rewrite "cmp(priv, a, b)" => "compare(a->key, b->key)"

static int is_sorted(struct list_head *list) {
    for (; list != NULL && list->next != NULL; list = list->next)
        if (list->key > list->next->key)
            return 0;
    return 1;
}

static unsigned length(struct list_head *list) {
    unsigned n = 0;
    for (; list != NULL; list = list->next)
        n++;
    return n;
}

// twin "compare(a->key, b->key) <= 0" => "compare(a->key, b->key) >= 0"
// twin 2 "*tail = b;\n\t\t\t\tbreak;" => "break;"
// twin 3 "tail = &a->next;" => ""

void test(struct list_head *a, struct list_head *b) {
    __VERIFIER_assume(a != NULL && b != NULL);
    __VERIFIER_assume(is_sorted(a));
    __VERIFIER_assume(is_sorted(b));
    unsigned sum = length(a) + length(b);
    struct list_head *merged = merge(a, b);
    __VERIFIER_assert(is_sorted(merged));
    __VERIFIER_assert(length(merged) == sum);
}
