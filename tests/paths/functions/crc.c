/* A checksum of eight bits. */
struct bytes {
    const unsigned char *s;
    int n_s;
};

unsigned f(struct bytes b)
{
    unsigned crc = 0xff;
    for (int i = 0; i < b.n_s; i++) {
        crc ^= b.s[i];
        for (int k = 0; k < 8; k++)
            if (crc & 0x80)
                crc = (crc << 1 ^ 0x31) & 0xff;
            else
                crc = crc << 1 & 0xff;
    }
    return crc;
}
