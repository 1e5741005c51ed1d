/*
 * Preloaded before libfaketime, for three reasons.
 *
 * While a program waits in poll or epoll, libfaketime shows the real time to its signal handlers, so the time limits of
 * PostgreSQL (statement_timeout, lock_timeout, deadlock_timeout) never end a wait. Waits are relative and need no faking:
 * here they go straight to the kernel.
 *
 * A program that is started with a bare environment, as the service starts its embedded PostgreSQL, would run by the real
 * clock. Here it gets the variables that set the clock of the program which starts it.
 *
 * libfaketime keeps a semaphore and shared memory, named by the process's number, and leaves them behind when the process
 * is killed. A later process with that number that runs as another user cannot open them, and ends at its start. Here the
 * names are unlike any other process's, and are gone as soon as both are open.
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
enum { EPOLL_PWAIT = 281, PPOLL = 271, CLOCK_GETTIME = 228 };
#elif defined(__aarch64__)
enum { EPOLL_PWAIT = 22, PPOLL = 73, CLOCK_GETTIME = 113 };
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

enum { MOST_NAME = 128, OPEN_EXCLUSIVE = 0200, MONOTONIC_RAW = 4 };
static unsigned long own_mark;

/* The nanosecond of the first use, which no other process with this number shares. */
static unsigned long mark(void) {
  struct limit now = {0, 0};
  if (!own_mark) syscall(CLOCK_GETTIME, MONOTONIC_RAW, &now);
  if (!own_mark) own_mark = (unsigned long)now.seconds * 1000000000UL + (unsigned long)now.nanoseconds;
  return own_mark;
}

/* `name` itself, or for libfaketime's `name` with this process's mark behind it, in `room` of MOST_NAME bytes. */
static const char *own_name(const char *name, char *room) {
  size_t size = strlen(name);
  if (strncmp(name, "/faketime_", 10) != 0 || size + 18 > MOST_NAME) return name;
  char *end = memcpy(room, name, size);
  end += size;
  *end++ = '_';
  for (int shift = 60; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[mark() >> shift & 15];
  *end = 0;
  return room;
}

typedef void *open_semaphore(const char *, int, unsigned, unsigned);
typedef int open_memory(const char *, int, unsigned);
typedef int unlink_name(const char *);

void *sem_open(const char *name, int flags, unsigned mode, unsigned value) {
  char room[MOST_NAME];
  return NEXT(open_semaphore, "sem_open")(own_name(name, room), flags, mode, value);
}

int sem_unlink(const char *name) {
  char room[MOST_NAME];
  return NEXT(unlink_name, "sem_unlink")(own_name(name, room));
}

int shm_unlink(const char *name) {
  char room[MOST_NAME];
  return NEXT(unlink_name, "shm_unlink")(own_name(name, room));
}

/* libfaketime makes both, opens the semaphore, and opens the memory last. */
int shm_open(const char *name, int flags, unsigned mode) {
  char room[MOST_NAME];
  const char *own = own_name(name, room);
  int file = NEXT(open_memory, "shm_open")(own, flags, mode);
  if (own == name || file < 0 || flags & OPEN_EXCLUSIVE) return file;
  NEXT(unlink_name, "shm_unlink")(own);
  memcpy(room + 10, "sem", 3);
  NEXT(unlink_name, "sem_unlink")(own);
  return file;
}

enum { MOST_SETTINGS = 16, MOST_TEXT = 4096 };
static char text_of_settings[MOST_TEXT];
static char *settings[MOST_SETTINGS + 1];

/* It names the memory of the process that sets it, which nobody else can open; each process makes its own. */
static int is_shared(const char *variable) { return strncmp(variable, "FAKETIME_SHARED=", 16) == 0; }

static int sets_the_clock(const char *variable) {
  if (is_shared(variable)) return 0;
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
  int has_one = has_a_clock(environment);
  for (; environment && *environment; environment++)
    if (has_one ? !is_shared(*environment) : !sets_the_clock(*environment)) room[count++] = *environment;
  for (char **setting = settings; !has_one && *setting; setting++) room[count++] = *setting;
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
