// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// reason: thread
// Thinks in a thread.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *think(void *argument) {
    sleep(5);
    return argument;
}

int main(void) {
    char line[64];
    pthread_t thread;
    if (!fgets(line, sizeof line, stdin)) return 1;
    pthread_create(&thread, NULL, think, NULL);
    puts("4 4");
    fflush(stdout);
    return 0;
}
