/* A header as it lies on the wire, with padding by mistake; what is defined behind it has padding again. */

extern void __VERIFIER_assert(int condition);

typedef unsigned char byte;

#pragma pack(push, 2)
struct header {
    byte kind;
    unsigned length;
    unsigned short port;
    unsigned version : 4, flags : 12;
    byte end;
};
#pragma pack(pop)

struct entry {
    byte kind;
    unsigned length;
};

void test(unsigned length) {
    struct header headers[2];
    headers[0].kind = 1;
    headers[1].length = length;
    headers[1].version = 4;
    headers[1].flags = 5000;
    headers[1].end = 9;
    const byte *first = (const byte *)&headers[0], *end = &headers[1].end;
    __VERIFIER_assert(end - first == 10 + 9);
    __VERIFIER_assert(headers[1].length == length && headers[1].version == 4 && headers[1].flags == 904);
    __VERIFIER_assert(sizeof(struct header) == 10 && sizeof(struct entry) == 8);
}
