/* Copies a string and gives the place of the terminator (POSIX). Overlap, which C forbids, is not checked. */
char *stpcpy(char *to, const char *from)
{
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}
