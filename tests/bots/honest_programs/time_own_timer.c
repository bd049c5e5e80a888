// verdict: win|draw
// event: nsoc
// protocol: codingame
// Ends its own thinking by a timer.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t is_over;

static void ring(int number) {
    (void)number;
    is_over = 1;
}

int main(void) {
    int row, column, count, a, b, first_row = 0, first_column = 0;
    timer_t timer;
    struct sigevent event;
    struct itimerspec soon = {{0, 0}, {0, 5000000}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    signal(SIGUSR1, ring);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
    while (scanf("%d %d %d", &row, &column, &count) == 3) {
        for (int i = 0; i < count; i++) {
            if (scanf("%d %d", &a, &b) != 2) return 1;
            if (i == 0) first_row = a, first_column = b;
        }
        is_over = 0;
        timer_settime(timer, 0, &soon, NULL);
        while (!is_over) {
        }
        printf("%d %d\n", first_row, first_column);
        fflush(stdout);
    }
    return 0;
}
