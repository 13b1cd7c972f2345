/* A commit just inserted into one of git's lists is contained in it, and so is what was contained before. */

// include verifier.h
// include git-commits.h

// extract git_commit_list_insert

// extract git_commit_list_contains

// twin "while (list)" => "while (list && list->next)"
// twin 2 "*list_p = new_list;" => "list_p = &new_list;"
// twin 3 "new_list->next = *list_p;" => "new_list->next = NULL;"

void test(struct commit_list *list, struct commit *commit, int position) {
    struct commit_list *other = list;
    for (; other != NULL && position > 0; position--)
        other = other->next;
    struct commit *contained = other != NULL ? other->item : commit;
    commit_list_insert(commit, &list);
    __VERIFIER_assert(commit_list_contains(commit, list));
    __VERIFIER_assert(commit_list_contains(contained, list));
}
