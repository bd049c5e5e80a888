// verdict: timeout
// event: nsoc
// protocol: codingame
// limit: 0.3
// ply: 0
// Answers, and never ends its line.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    fputs("4 4", stdout);
    fflush(stdout);
    for (;;) getchar();
}
