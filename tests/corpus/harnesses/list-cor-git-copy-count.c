/* A copy of one of git's lists has the same commits in the same order. */

// include verifier.h
// include git-commits.h

// extract git_commit_list_append
// rewrite "struct commit *commit" => "unsigned long commit"

// extract git_copy_commit_list

// extract git_commit_list_count

// twin "return &new_commit->next;" => "return next;"
// twin 2 "while (list) {" => "while (list && list->next) {"
// twin 3 "new_commit->next = NULL;" => ""

void test(struct commit_list *list) {
    struct commit_list *copy = copy_commit_list(list);
    __VERIFIER_assert(commit_list_count(copy) == commit_list_count(list));
    for (; list != NULL; list = list->next) {
        __VERIFIER_assert(copy != NULL && copy != list && copy->item == list->item);
        copy = copy->next;
    }
    __VERIFIER_assert(copy == NULL);
}
