/* How many characters a text in UTF-8 has; below 0 where it is none. */
struct bytes {
    const unsigned char *s;
    int n_s;
};

int f(struct bytes b)
{
    int i = 0, count = 0;
    while (i < b.n_s) {
        unsigned c = b.s[i++];
        int more;
        unsigned least;
        if (c < 0x80) {
            more = 0;
            least = 0;
        } else if ((c & 0xe0) == 0xc0) {
            more = 1;
            c &= 0x1f;
            least = 0x80;
        } else if ((c & 0xf0) == 0xe0) {
            more = 2;
            c &= 0x0f;
            least = 0x800;
        } else if ((c & 0xf8) == 0xf0) {
            more = 3;
            c &= 0x07;
            least = 0x10000;
        } else {
            return -1;
        }
        while (more--) {
            if (i == b.n_s)
                return -2;
            unsigned d = b.s[i++];
            if ((d & 0xc0) != 0x80)
                return -3;
            c = c << 6 | (d & 0x3f);
        }
        if (c < least)
            return -4;
        if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
            return -5;
        count++;
    }
    return count;
}
