// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// reason: opponent's turn
// Sets a timer whose signal wakes a process that is stopped, to think in its opponent's time.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile unsigned long thoughts;

static void wake(int number) { (void)number; }

int main(void) {
    char line[64];
    timer_t timer;
    struct sigevent event;
    struct itimerspec every_ms = {{0, 1000000}, {0, 1000000}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    signal(SIGCONT, wake);
    if (!fgets(line, sizeof line, stdin)) return 1;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &every_ms, NULL);
    puts("4 4");
    fflush(stdout);
    for (;;) thoughts++;
}
