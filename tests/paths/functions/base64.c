/* How many bytes a text in Base64 stands for; below 0 where it is none. */
struct bytes {
    const char *s;
    int n_s;
};

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return -1;
}

int f(struct bytes b)
{
    if (b.n_s % 4 != 0)
        return -1;
    int length = 0, padding = 0;
    unsigned bits = 0;
    for (int i = 0; i < b.n_s; i++) {
        if (b.s[i] == '=') {
            if (i < b.n_s - 2)
                return -2;
            padding++;
            bits <<= 6;
        } else {
            if (padding)
                return -3;
            int d = digit(b.s[i]);
            if (d < 0)
                return -4;
            bits = bits << 6 | (unsigned)d;
        }
        if (i % 4 == 3) {
            length += 3 - padding;
            bits = 0;
        }
    }
    return length;
}
