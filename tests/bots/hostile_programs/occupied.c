// verdict: illegal
// event: nsoc
// protocol: codingame
// ply: 2
// Plays the centre every time it is asked.
#include <stdio.h>

int main(void) {
    int row, column, count, a, b;
    while (scanf("%d %d %d", &row, &column, &count) == 3) {
        while (count--)
            if (scanf("%d %d", &a, &b) != 2) return 1;
        puts("4 4");
        fflush(stdout);
    }
    return 0;
}
