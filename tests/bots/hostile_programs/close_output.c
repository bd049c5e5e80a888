// verdict: protocol|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Closes its standard output, and waits.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    close(1);
    for (;;) pause();
}
