int f(int a) { return mul24(a, 3); }
