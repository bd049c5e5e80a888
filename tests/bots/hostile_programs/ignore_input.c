// verdict: timeout
// event: extreme
// protocol: ludus
// limit: 0.3
// ply: 2
// Says that it is ready and plays one move, and then reads no more, so that what it is told piles up.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char line[1 << 20];
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("{\"type\": \"ready\"}");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return 1;
    char *legal = strstr(line, "\"legal\":[\"");
    if (!legal) return 1;
    legal += strlen("\"legal\":[\"");
    printf("{\"type\": \"move\", \"move\": \"%.*s\"}\n", (int)strcspn(legal, "\""), legal);
    fflush(stdout);
    for (;;) pause();
}
