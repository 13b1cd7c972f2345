char *strchr(const char *s, int c)
{
	for (;;) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return (void *)0;
		s++;
	}
}
