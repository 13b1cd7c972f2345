/* The small letter of a capital letter in the C locale; other values stay (C11 7.4.2.1). */
int tolower(int c)
{
    if (c >= 'A' && c <= 'Z')
        return c + ('a' - 'A');
    return c;
}
