/* Walking a block of strings with glibc's argz_next stays in the block. */

// include verifier.h
// include strings.h

// extract linux_strchr

// extract glibc_argz_next __argz_next=argz_next

// twin "return entry >= argz + argz_len ? NULL" => "return entry > argz + argz_len ? NULL"

void test(struct str block) {
    __VERIFIER_assume(block.n_s == 0 || block.s[block.n_s - 1] == 0);
    for (char *entry = argz_next(block.s, (size_t)block.n_s, NULL); entry; entry = argz_next(block.s, (size_t)block.n_s, entry))
        __VERIFIER_assert(block.s <= entry && entry < block.s + block.n_s);
}
