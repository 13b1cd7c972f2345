/* Inserting by date keeps a list of git's commits ordered, the latest first. */

// include verifier.h
// include git-commits.h

// extract git_commit_list_insert

// extract git_commit_list_insert_by_date

static int is_by_date(struct commit_list *list) {
    for (; list != NULL && list->next != NULL; list = list->next)
        if (list->item->date < list->next->item->date)
            return 0;
    return 1;
}

// twin "p->item->date < item->date" => "p->item->date > item->date"
// twin 2 "p->item->date < item->date" => "p->next && p->next->item->date < item->date"
// twin 3 "while ((p = *pp) != NULL)" => "while ((p = *pp)->next != NULL)"

void test(struct commit_list *list, struct commit *commit) {
    __VERIFIER_assume(commit != NULL);
    for (struct commit_list *node = list; node != NULL; node = node->next)
        __VERIFIER_assume(node->item != NULL);
    __VERIFIER_assume(is_by_date(list));
    commit_list_insert_by_date(commit, &list);
    __VERIFIER_assert(is_by_date(list));
}
