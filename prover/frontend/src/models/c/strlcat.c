/* Appends as much as fits into n characters with the terminator, and gives the length that was wanted (BSD). Overlap is undefined: neither may reach where
 * the other begins. */
__attribute__((nonnull)) unsigned long strlcat(char *to, const char *from, unsigned long n)
{
    unsigned long length = 0;
    while (length < n && to[length] != 0)
        length++;
    char *end = to + length;
    unsigned long room = n - length;
    unsigned long i = 0;
    while (from[i] != 0) {
        if (room > 0 && i + 1 < room)
            end[i] = from[i];
        else if (room > 0 && i + 1 == room)
            end[i] = 0;
        if (i < room && end + i == from || room > 0 && from + i == end)
            __builtin_unreachable();
        i++;
    }
    if (i < room) {
        end[i] = 0;
        if (end + i == from || from + i == end)
            __builtin_unreachable();
    }
    return length + i;
}
