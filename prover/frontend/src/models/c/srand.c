/* Where rand begins, which is any number anyway (C11 7.22.2.2). */
void srand(unsigned seed)
{
    seed = seed + 0u;
}
