// verdict: win|draw
// event: nsoc
// protocol: codingame
// Plays at random, uses a hundred megabytes, the clock and the time of day.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
    int row, column, count, a, b, chosen_row = 0, chosen_column = 0;
    size_t size = 100u << 20;
    char *table = malloc(size);
    if (!table) return 1;
    memset(table, 1, size);
    srand((unsigned)time(NULL) ^ (unsigned)clock());
    while (scanf("%d %d %d", &row, &column, &count) == 3) {
        for (int i = 0; i < count; i++) {
            if (scanf("%d %d", &a, &b) != 2) return 1;
            if (rand() % (i + 1) == 0) chosen_row = a, chosen_column = b;
        }
        table[rand() % size] = (char)sqrt(count);
        printf("%d %d\n", chosen_row, chosen_column);
        fflush(stdout);
    }
    free(table);
    return 0;
}
