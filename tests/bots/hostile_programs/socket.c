// verdict: forbidden
// event: nsoc
// protocol: codingame
// ply: 0
// Calls a friend.
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
    char line[64];
    struct sockaddr_in friend = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (!fgets(line, sizeof line, stdin)) return 1;
    connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&friend, sizeof friend);
    puts("4 4");
    return 0;
}
