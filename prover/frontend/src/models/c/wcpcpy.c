/* Copies a string and gives the place of the terminator (POSIX). Overlap, which C forbids, is not checked. */
int *wcpcpy(int *to, const int *from)
{
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}
