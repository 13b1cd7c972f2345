/* The low 7 bits (POSIX). */
int toascii(int c)
{
    return c & 127;
}
