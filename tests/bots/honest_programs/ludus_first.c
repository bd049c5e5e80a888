// verdict: win|draw
// event: extreme
// protocol: ludus
// Plays the first legal move by our own protocol, whatever the game.
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (!legal) {
            puts("{\"type\": \"ready\"}");
        } else {
            legal += strlen("\"legal\":[\"");
            printf("{\"type\": \"move\", \"move\": \"%.*s\"}\n", (int)strcspn(legal, "\""), legal);
        }
        fflush(stdout);
    }
    return 0;
}
