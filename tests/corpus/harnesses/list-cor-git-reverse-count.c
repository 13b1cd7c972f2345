/* One of git's lists has as many commits reversed. */

// include verifier.h
// include git-commits.h

// extract git_reverse_commit_list

// extract git_commit_list_count

// twin "for (current = list; current; current = backup)" => "for (current = list; current && current->next; current = backup)"
// twin 2 "current->next = next;" => "current->next = next ? next->next : NULL;"

void test(struct commit_list *list) {
    unsigned before = commit_list_count(list);
    __VERIFIER_assert(commit_list_count(reverse_commit_list(list)) == before);
}
