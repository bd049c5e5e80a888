// verdict: forbidden|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Goes to the list of users by way of a folder that is a link, and back.
#include <stdio.h>

int main(void) {
    char line[64];
    const char *detours[] = {"/usr/lib/ssl/certs/../../passwd", "/lib/../etc/passwd", "/proc/self/root/etc/passwd"};
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (int i = 0; i < 3; i++) {
        FILE *users = fopen(detours[i], "r");
        if (users && fgets(line, sizeof line, users)) {
            puts("4 4");
            fflush(stdout);
            for (;;) getchar();
        }
    }
    return 1;
}
