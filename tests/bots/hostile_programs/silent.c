// verdict: timeout
// event: nsoc
// protocol: codingame
// limit: 0.3
// ply: 0
// Never answers.
#include <unistd.h>

int main(void) {
    for (;;) pause();
}
