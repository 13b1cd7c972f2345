/* Inserting by date keeps a list of git's commits ordered, the latest first. */

// include verifier.h
// include git-commits.h

// extract git_commit_list_insert
// rewrite "struct commit *item" => "unsigned long item"

// extract git_commit_list_insert_by_date
// rewrite "struct commit *item" => "unsigned long item"
// rewrite "p->item->date < item->date" => "p->item < item"

static int is_by_date(struct commit_list *list) {
    for (; list != NULL && list->next != NULL; list = list->next)
        if (list->item < list->next->item)
            return 0;
    return 1;
}

// twin "p->item < item" => "p->item > item"
// twin 2 "p->item < item" => "p->next && p->next->item < item"
// twin 3 "while ((p = *pp) != NULL)" => "while ((p = *pp)->next != NULL)"

void test(struct commit_list *list, unsigned long commit) {
    __VERIFIER_assume(is_by_date(list));
    commit_list_insert_by_date(commit, &list);
    __VERIFIER_assert(is_by_date(list));
}
