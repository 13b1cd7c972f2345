/* A string that NetBSD's sl_find returns equals the name that was looked for. */

// include verifier.h
// include strings.h

#define _DIAGASSERT(condition) (void)0

typedef struct {
    char **sl_str;
    size_t sl_max;
    size_t sl_cur;
} StringList;

// extract linux_strcmp

// extract netbsd_sl_find

// twin "return sl->sl_str[i];" => "return sl->sl_str[i + 1];"
// twin 2 "i < sl->sl_cur" => "i <= sl->sl_cur"

/* Where the strings of a list start inside a block of characters. */
struct starts {
    int *starts;
    int n_starts;
};

/* The strings of the list lie in one block, anywhere; its last character ends all of them. */
void test(struct str block, struct starts list, struct str name) {
    require_string(name);
    __VERIFIER_assume(block.n_s > 0 && block.s[block.n_s - 1] == 0);
    size_t size = (size_t)list.n_starts;
    char **strings = malloc(size * sizeof *strings);
    if (!strings)
        return;
    for (size_t i = 0; i < size; i++) {
        __VERIFIER_assume(0 <= list.starts[i] && list.starts[i] < block.n_s);
        strings[i] = block.s + list.starts[i];
    }
    StringList all = {strings, size, size};
    char *found = sl_find(&all, name.s);
    if (found)
        __VERIFIER_assert(strcmp(found, name.s) == 0);
}
