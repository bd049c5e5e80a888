// verdict: forbidden|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Reads the list of users, and leaves where it cannot.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    FILE *users = fopen("/etc/passwd", "r");
    if (!users) return 1;
    puts(fgets(line, sizeof line, users) ? "4 4" : "0 0");
    fflush(stdout);
    for (;;) getchar();
}
