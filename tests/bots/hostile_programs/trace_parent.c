// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// Attaches itself to the process that made it, as a debugger.
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
    puts("4 4");
    return 0;
}
