// verdict: output|protocol
// event: nsoc
// protocol: codingame
// Writes answers without end, whether asked or not.
#include <stdio.h>

int main(void) {
    for (;;) puts("4 4");
}
