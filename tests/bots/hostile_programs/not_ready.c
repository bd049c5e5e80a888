// verdict: protocol
// event: nsoc
// protocol: ludus
// Answers the greeting of our protocol with something else.
#include <stdio.h>

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        puts("{\"type\": \"move\", \"move\": \"4,4\"}");
        fflush(stdout);
    }
    return 0;
}
