int test(int x) {
  goto in;
  { int y; p: y = 2; in: y = 5; x += y; }
  for (;;) { if (x > 100) break; { int z = x; int *q = &z; *q += 1; x = z; if (x & 1) continue; if (x == 50) goto p; } }
  switch (x) { int w; case 1: { int v[3] = {1}; case 2: v[x & 1] = 2; w = v[0]; break; } default: w = 1; }
  while (1) ;
  return x;
}
