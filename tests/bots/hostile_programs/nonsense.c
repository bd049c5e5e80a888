// verdict: protocol
// event: nsoc
// protocol: codingame
// ply: 0
// Answers with words.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("the centre, please\033[2J");
    fflush(stdout);
    for (;;) getchar();
}
