// verdict: protocol|crash
// event: nsoc
// protocol: codingame
// ply: 2
// Answers once, and then wants to hear no more questions.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    close(0);
    puts("4 4");
    fflush(stdout);
    for (;;) pause();
}
