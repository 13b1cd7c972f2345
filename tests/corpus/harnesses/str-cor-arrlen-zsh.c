/* zsh's arrlen counts the pointers of an array up to the first null pointer. */

// include verifier.h
// include strings.h

// extract zsh_arrlen mod_export=

// twin "for (count = 0; *s; s++, count++);" => "for (count = 0; *s++; count++) if (!*s) break;"

/* The array points into a string, and is null where the string ends. */
void test(struct str a) {
    int length = string_length(a);
    char **pointers = malloc((size_t)a.n_s * sizeof *pointers);
    if (!pointers)
        return;
    for (int i = 0; i < a.n_s; i++)
        pointers[i] = a.s[i] ? a.s + i : NULL;
    __VERIFIER_assert(arrlen(pointers) == length);
}
