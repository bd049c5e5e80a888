// A program that does what it is told, for the tests of the sandbox: one word on a line, one line back.
#include <csignal>
#include <ctime>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int deep(int n) {
    volatile char room[1000];
    room[0] = 1;
    return n ? deep(n - 1) + room[0] : 0;
}

int main(int argc, char **argv) {
    std::string word;
    while (std::getline(std::cin, word)) {
        if (word == "vector") { std::vector<char> v; while (true) v.push_back(1); }
        if (word == "list") while (true) std::memset(new char[100], 1, 100);
        if (word == "malloc") while (true) std::memset(std::malloc(1000), 1, 1000);
        if (word == "mmap") while (true) std::memset(mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 1 << 20);
        if (word == "at once") static_cast<volatile char *>(std::malloc(1ull << 33))[0] = 1;
        if (word == "untouched") while (true) static_cast<volatile char *>(std::malloc(100000))[0] = 1;
        if (word == "shared") while (true) std::memset(mmap(0, 1 << 22, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, 1 << 22);
        if (word.rfind("read ", 0) == 0) { std::ifstream file(word.substr(5)); std::string line; std::getline(file, line); }
        if (word.rfind("write ", 0) == 0) std::ofstream(word.substr(6)) << 1;
        if (word == "thread") std::thread([] {}).join();
        if (word == "fork") fork();
        if (word == "system") return std::system("true");
        if (word == "exec") execl("/bin/true", "true", nullptr);
        if (word == "socket") socket(AF_INET, SOCK_STREAM, 0);
        if (word == "kill") return kill(getppid(), 9);
        if (word == "loop") while (true) {}
        if (word == "sleep") sleep(60);
        if (word == "crash") *static_cast<volatile int *>(nullptr) = 1;
        if (word == "exit") return 3;
        if (word == "twice") std::cout << "one\n";
        if (word == "endless") while (true) std::cout << "xxxxxxxxxxxxxxxx";
        if (word == "flood") while (true) std::cerr << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        if (word == "close") { close(1); sleep(60); }
        if (word == "deep" && deep(20000) < 0) return 1;
        if (word == "busy") { volatile long n = 0; std::thread([&n] { while (true) n = n + 1; }).detach(); }
        if (word.rfind("timer ", 0) == 0) {
            sigevent event{};
            timer_t timer;
            event.sigev_signo = std::stoi(word.substr(6));
            if (timer_create(CLOCK_MONOTONIC, &event, &timer)) { std::cout << "none" << std::endl; continue; }
        }
        if (word == "length") { std::getline(std::cin, word); std::cout << word.size() << std::endl; continue; }
        if (word == "arguments") { std::cout << argc << std::endl; continue; }
        std::cout << word << std::endl;
    }
}
