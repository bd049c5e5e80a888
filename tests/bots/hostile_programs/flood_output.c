// verdict: output|protocol
// event: nsoc
// protocol: codingame
// ply: 0
// Writes one line without end.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (;;) putchar('4');
}
