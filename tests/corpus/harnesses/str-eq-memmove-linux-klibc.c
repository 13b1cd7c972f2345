/* Linux's and klibc's memmove leave the same bytes, however source and target overlap. */

// include verifier.h
// include strings.h

// extract linux_memmove memmove=linux_memmove

// extract klibc_memmove memmove=klibc_memmove
// rewrite "#if defined(__i386__) || defined(__x86_64__)" => "#if 0"

// twin "if (q < p) {\n\t\twhile" => "if (q > p) {\n\t\twhile"

void test(struct str a, size_t from, size_t to, size_t size) {
    size_t length = (size_t)a.n_s;
    __VERIFIER_assume(size <= length && from <= length - size && to <= length - size);
    char *copy = malloc(length);
    if (!copy)
        return;
    for (size_t i = 0; i < length; i++)
        copy[i] = a.s[i];
    linux_memmove(a.s + to, a.s + from, size);
    klibc_memmove(copy + to, copy + from, size);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] == copy[i]);
}
