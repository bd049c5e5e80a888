// verdict: forbidden|crash
// event: nsoc
// protocol: codingame
// ply: 0
// Lists the folder that it lies in, where the others' files may be.
#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    char line[64], path[4096];
    if (!fgets(line, sizeof line, stdin) || count < 1) return 1;
    strncpy(path, arguments[0], sizeof path - 1);
    DIR *folder = opendir(dirname(path));
    if (!folder || !readdir(folder)) return 1;
    puts("4 4");
    fflush(stdout);
    for (;;) getchar();
}
