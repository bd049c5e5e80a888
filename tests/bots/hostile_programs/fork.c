// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// reason: process
// Forks, and goes on as if nothing had been.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (fork() == 0) {
        sleep(5);
        _exit(0);
    }
    puts("4 4");
    fflush(stdout);
    return 0;
}
