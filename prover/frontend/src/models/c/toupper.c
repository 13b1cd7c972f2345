/* The capital letter of a small letter in the C locale; other values stay (C11 7.4.2.2). */
int toupper(int c)
{
    if (c >= 'a' && c <= 'z')
        return c - ('a' - 'A');
    return c;
}
