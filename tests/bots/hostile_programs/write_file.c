// verdict: forbidden|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Writes a file for its next game.
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    FILE *note = fopen("/tmp/ludus-hostile-program-was-here", "w");
    if (!note) return 1;
    fputs("remember me", note);
    fclose(note);
    puts("4 4");
    fflush(stdout);
    for (;;) getchar();
}
