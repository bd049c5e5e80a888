// verdict: output
// event: nsoc
// protocol: codingame
// ply: 0
// Complains without end.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (;;) fputs("thinking ", stderr);
}
