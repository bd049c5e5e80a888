// verdict: memory|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Takes all memory there is, eight gigabytes at most, and gives up where it gets no more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (int i = 0; i < 512; i++) {
        char *part = malloc(16 << 20);
        if (!part) abort();
        memset(part, i, 16 << 20);
    }
    puts("4 4");
    return 0;
}
