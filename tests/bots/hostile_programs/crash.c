// verdict: crash
// event: nsoc
// protocol: codingame
// ply: 0
// Writes to address zero.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    *(volatile int *)0 = 4;
    return 0;
}
