/*
 * Preloaded before libfaketime, for two reasons.
 *
 * While a program waits in poll or epoll, libfaketime shows the real time to its signal handlers, so the time limits of
 * PostgreSQL (statement_timeout, lock_timeout, deadlock_timeout) never end a wait. Waits are relative and need no faking:
 * here they go straight to the kernel.
 *
 * A program that is started with a bare environment, as the service starts its embedded PostgreSQL, would run by the real
 * clock. Here it gets the variables that set the clock of the program which starts it.
 */

/* Of the C library, whose headers need not be installed. */
typedef unsigned long size_t;
extern char **environ;
long syscall(long number, ...);
int strncmp(const char *one, const char *other, size_t most);
size_t strlen(const char *text);
void *memcpy(void *to, const void *from, size_t size);
void *dlsym(void *where, const char *name);
#define NEXT(type, name) ((type *)dlsym((void *)-1L, name))

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

enum { MOST_SETTINGS = 16, MOST_TEXT = 4096 };
static char text_of_settings[MOST_TEXT];
static char *settings[MOST_SETTINGS + 1];

/* FAKETIME_SHARED names memory that programs of other users may not open; each program makes its own. */
static int sets_the_clock(const char *variable) {
  if (strncmp(variable, "FAKETIME_SHARED=", 16) == 0) return 0;
  return strncmp(variable, "LD_PRELOAD=", 11) == 0 || strncmp(variable, "FAKETIME", 8) == 0;
}

/* Copied, because the program may change its own environment. */
__attribute__((constructor)) static void remember_settings(void) {
  char *free_text = text_of_settings;
  int count = 0;
  for (char **variable = environ; variable && *variable && count < MOST_SETTINGS; variable++) {
    size_t size = strlen(*variable) + 1;
    if (!sets_the_clock(*variable) || size > (size_t)(text_of_settings + MOST_TEXT - free_text)) continue;
    settings[count++] = memcpy(free_text, *variable, size);
    free_text += size;
  }
}

/* A program with an LD_PRELOAD of its own keeps the clock that this gives it. */
static int has_a_clock(char *const *environment) {
  for (; environment && *environment; environment++)
    if (strncmp(*environment, "LD_PRELOAD=", 11) == 0) return 1;
  return 0;
}

static size_t length(char *const *list) {
  size_t count = 0;
  while (list && list[count]) count++;
  return count;
}

/* `room` takes MOST_SETTINGS more than the environment, and the end. It is on the stack: this may run between
 * fork and exec. */
static char *const *with_clock(char *const *environment, char **room) {
  size_t count = 0;
  if (has_a_clock(environment)) return environment;
  for (; environment && *environment; environment++)
    if (!sets_the_clock(*environment)) room[count++] = *environment;
  for (char **setting = settings; *setting; setting++) room[count++] = *setting;
  room[count] = 0;
  return room;
}
#define ROOM_FOR(environment) length(environment) + MOST_SETTINGS + 1

typedef int exec(const char *, char *const[], char *const[]);

int execve(const char *path, char *const arguments[], char *const environment[]) {
  char *room[ROOM_FOR(environment)];
  return NEXT(exec, "execve")(path, arguments, with_clock(environment, room));
}

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  char *room[ROOM_FOR(environment)];
  return NEXT(exec, "execvpe")(file, arguments, with_clock(environment, room));
}

int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }
int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

typedef int spawn(int *, const char *, const void *, const void *, char *const[], char *const[]);

int posix_spawn(int *pid, const char *path, const void *actions, const void *attributes, char *const arguments[],
                char *const environment[]) {
  char *room[ROOM_FOR(environment)];
  return NEXT(spawn, "posix_spawn")(pid, path, actions, attributes, arguments, with_clock(environment, room));
}

int posix_spawnp(int *pid, const char *file, const void *actions, const void *attributes, char *const arguments[],
                 char *const environment[]) {
  char *room[ROOM_FOR(environment)];
  return NEXT(spawn, "posix_spawnp")(pid, file, actions, attributes, arguments, with_clock(environment, room));
}
