// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// reason: program
// Becomes a shell.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    execl("/bin/sh", "sh", "-c", "echo 4 4", (char *)0);
    return 1;
}
