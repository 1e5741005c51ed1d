/*
 * Preloaded before libfaketime. While a program waits in poll or epoll, libfaketime shows the real time to its signal
 * handlers, so the time limits of PostgreSQL (statement_timeout, lock_timeout, deadlock_timeout) never end a wait.
 * Waits are relative and need no faking: here they go straight to the kernel.
 */
#if defined(__x86_64__)
enum { EPOLL_PWAIT = 281, PPOLL = 271 };
#elif defined(__aarch64__)
enum { EPOLL_PWAIT = 22, PPOLL = 73 };
#else
#error "npm test -- --at runs on x86-64 and arm64 only."
#endif
enum { SIGNAL_SET_BYTES = 8 };

struct limit {
  long seconds;
  long nanoseconds;
};

long syscall(long number, ...);

int epoll_pwait(int set, void *events, int most, int ms, const void *signals) {
  return (int)syscall(EPOLL_PWAIT, set, events, most, ms, signals, SIGNAL_SET_BYTES);
}

int epoll_wait(int set, void *events, int most, int ms) {
  return epoll_pwait(set, events, most, ms, 0);
}

int ppoll(void *files, unsigned long count, const struct limit *limit, const void *signals) {
  /* The kernel writes into it how much was left. */
  struct limit left = {0, 0};
  if (limit) left = *limit;
  return (int)syscall(PPOLL, files, count, limit ? &left : 0, signals, SIGNAL_SET_BYTES);
}

int poll(void *files, unsigned long count, int ms) {
  struct limit limit = {ms / 1000, (ms % 1000) * 1000000L};
  return ppoll(files, count, ms < 0 ? 0 : &limit, 0);
}
