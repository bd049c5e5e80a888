// verdict: crash
// event: nsoc
// protocol: codingame
// Leaves at once, with the status of success.
int main(void) { return 0; }
