/* The buggy twin of substring-twice.c: one search leaves out the last place. */

extern void __VERIFIER_assert(int condition);

/* An array input: data points to exactly n_data integers. */
struct array {
    int *data;
    int n_data;
};

static int is_at(const int *place, const int *pattern, int count) {
    for (int i = 0; i < count; i++)
        if (place[i] != pattern[i])
            return 0;
    return 1;
}

static const int *find(const int *data, int count, const int *pattern, int length) {
    while (count >= length) {
        if (is_at(data, pattern, length))
            return data;
        data++;
        count--;
    }
    return 0;
}

static const int *search(const int *data, int count, const int *pattern, int length) {
    for (int last = count - length; last > 0; last--) {
        if (is_at(data, pattern, length))
            return data;
        data++;
    }
    return 0;
}

void test(struct array a, struct array pattern) {
    const int *found = find(a.data, a.n_data, pattern.data, pattern.n_data);
    __VERIFIER_assert(search(a.data, a.n_data, pattern.data, pattern.n_data) == found);
}
