// verdict: forbidden
// event: nsoc
// protocol: codingame
// reason: process
// Forks before it is asked anything.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (fork() == 0) {
        sleep(5);
        _exit(0);
    }
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("4 4");
    return 0;
}
