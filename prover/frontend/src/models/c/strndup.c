/* A copy of at most n characters of a string in fresh memory, or NULL (POSIX). */
__attribute__((nonnull)) char *strndup(const char *s, unsigned long n)
{
    unsigned long length = 0;
    while (length < n && s[length] != 0)
        length++;
    char *copy = __builtin_malloc(length + 1);
    if (copy == (void *)0)
        return (void *)0;
    for (unsigned long i = 0; i < length; i++)
        copy[i] = s[i];
    copy[length] = 0;
    return copy;
}
