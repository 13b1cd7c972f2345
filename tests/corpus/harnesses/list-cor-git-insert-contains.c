/* A commit just inserted into one of git's lists is contained in it, and so is what was contained before. */

// include verifier.h
// include git-commits.h

// extract git_commit_list_insert
// rewrite "struct commit *item" => "unsigned long item"

// extract git_commit_list_contains
// rewrite "struct commit *item" => "unsigned long item"

// twin "while (list)" => "while (list && list->next)"
// twin 2 "*list_p = new_list;" => "list_p = &new_list;"
// twin 3 "new_list->next = *list_p;" => "new_list->next = NULL;"

void test(struct commit_list *list, unsigned long commit, int position) {
    struct commit_list *other = list;
    for (; other != NULL && position > 0; position--)
        other = other->next;
    unsigned long contained = other != NULL ? other->item : commit;
    commit_list_insert(commit, &list);
    __VERIFIER_assert(commit_list_contains(commit, list));
    __VERIFIER_assert(commit_list_contains(contained, list));
}
