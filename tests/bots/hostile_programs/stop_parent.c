// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// reason: send
// Stops the process that made it.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    kill(getppid(), SIGSTOP);
    puts("4 4");
    return 0;
}
