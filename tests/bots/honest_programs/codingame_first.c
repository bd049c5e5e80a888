// verdict: win|draw
// event: nsoc
// protocol: codingame
// Plays the first legal move, and says so to standard error.
#include <stdio.h>

int main(void) {
    int row, column, count, a, b, first_row = 0, first_column = 0;
    while (scanf("%d %d %d", &row, &column, &count) == 3) {
        for (int i = 0; i < count; i++) {
            if (scanf("%d %d", &a, &b) != 2) return 1;
            if (i == 0) first_row = a, first_column = b;
        }
        fprintf(stderr, "%d moves, after %d %d\n", count, row, column);
        printf("%d %d\n", first_row, first_column);
        fflush(stdout);
    }
    return 0;
}
