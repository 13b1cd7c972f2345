/* No character before the one that Redis' mempbrk finds is in the set. */

// include verifier.h
// include strings.h

// extract redis_mempbrk

// twin "n < charslen" => "n + 1 < charslen"

void test(struct str a, struct str set) {
    const char *found = mempbrk(a.s, (size_t)a.n_s, set.s, (size_t)set.n_s);
    const char *end = found ? found : a.s + a.n_s;
    for (const char *p = a.s; p != end; p++)
        for (int i = 0; i < set.n_s; i++)
            __VERIFIER_assert(*p != set.s[i]);
}
