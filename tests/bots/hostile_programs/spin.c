// verdict: timeout
// event: nsoc
// protocol: codingame
// limit: 0.3
// loading: 0.5
// ply: 0
// Ignores every signal and loops.
#include <signal.h>

int main(void) {
    for (int number = 1; number < 64; number++) signal(number, SIG_IGN);
    for (volatile long i = 0;; i++) {
    }
}
