/* Four channels are one number: a struct goes into a union and comes out of it as a whole. */

extern void __VERIFIER_assert(int condition);

struct channels {
    unsigned char red, green, blue, alpha;
};

union pixel {
    struct channels channels;
    unsigned number;
};

static unsigned joined(struct channels channels) {
    union pixel pixel;
    pixel.channels = channels;
    return pixel.number;
}

static struct channels parted(unsigned number) {
    union pixel pixel = {.number = number};
    return pixel.channels;
}

void test(unsigned char red) {
    struct channels channels = {.red = red, .alpha = 255};
    struct channels again = parted(joined(channels));
    __VERIFIER_assert(again.red == red && again.green == 0 && again.alpha == 255);
}
