// A layer between a program and the C library (LD_PRELOAD): the disk below one folder is slow, full or broken, and the wall clock
// jumps, as a file says that others write meanwhile.
//
//     FAULTS_FOLDER=DIR FAULTS_CONTROL=FILE LD_PRELOAD=faults.so PROGRAM
//
// The file has one `struct control`. Clocks that never jump are left alone, as the kernel does when somebody sets the time.
// What waits until a moment of the wall clock (sem_timedwait, as DispatchSemaphore does) feels a jump while it waits, too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
	int64_t offset_ms;      // what the wall clock is ahead
	int32_t delay_ms;       // how long each call that writes takes in addition
	int32_t error;          // what calls that write fail with: an errno, or 0
	int32_t percent;        // how many of a hundred of them fail
	int32_t short_writes;   // whether write() takes half of what it gets
	int64_t calls;          // how many calls there were, and how many of them failed or were cut short
	int64_t hits;
};

static struct control none;
static volatile struct control *control = &none;
static char folder[PATH_MAX];
static size_t folder_length;

#define REAL(name) ((__typeof__(&name))real(#name, &real_##name))
static void *real(const char *name, void **place) {
	if (!*place) *place = dlsym(RTLD_NEXT, name);
	return *place;
}
#define SLOT(name) static void *real_##name

__attribute__((constructor)) static void begin(void) {
	const char *path = getenv("FAULTS_CONTROL"), *below = getenv("FAULTS_FOLDER");
	if (!path || !below || !realpath(below, folder)) return;
	folder_length = strlen(folder);
	int file = open(path, O_RDWR | O_CLOEXEC);
	void *shared = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file < 0 || shared == MAP_FAILED) {
		fprintf(stderr, "faults: can't read %s\n", path);
		_exit(127);
	}
	close(file);
	control = shared;
}

static int is_below(const char *path) {
	return folder_length && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

static int is_ours(int file) {
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0) return 0;
	path[length] = 0;
	return is_below(path);
}

static int is_quiet(void) { return !control->delay_ms && !control->error && !control->short_writes; }

// Waits, and says whether a call is to fail; errno is set then.
static int fails(void) {
	static _Thread_local uint64_t seed;
	__atomic_add_fetch(&control->calls, 1, __ATOMIC_RELAXED);
	int delay = control->delay_ms, error = control->error;
	if (delay > 0) usleep((useconds_t)delay * 1000);
	if (!error) return 0;
	if (!seed) seed = (uintptr_t)&seed ^ (uint64_t)getpid();
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	if ((int)((seed >> 33) % 100) >= control->percent) return 0;
	__atomic_add_fetch(&control->hits, 1, __ATOMIC_RELAXED);
	errno = error;
	return 1;
}

static size_t shortened(size_t count) {
	if (!control->short_writes || count < 2) return count;
	__atomic_add_fetch(&control->hits, 1, __ATOMIC_RELAXED);
	return count / 2;
}

#define WRITER(name, declaration, call, count) \
	SLOT(name); \
	ssize_t name declaration { \
		if (!is_quiet() && is_ours(file)) { \
			if (fails()) return -1; \
			count = shortened(count); \
		} \
		return REAL(name) call; \
	}
WRITER(write, (int file, const void *bytes, size_t count), (file, bytes, count), count)
WRITER(pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset), count)
WRITER(pwrite64, (int file, const void *bytes, size_t count, off64_t offset), (file, bytes, count, offset), count)

#define CHANGER(name, declaration, call) \
	SLOT(name); \
	int name declaration { \
		if (!is_quiet() && is_ours(file) && fails()) return -1; \
		return REAL(name) call; \
	}
CHANGER(fsync, (int file), (file))
CHANGER(fdatasync, (int file), (file))
CHANGER(ftruncate, (int file, off_t length), (file, length))
CHANGER(ftruncate64, (int file, off64_t length), (file, length))

// New files need room, too.
static int opens(const char *path, int flags) {
	return !is_quiet() && (flags & O_CREAT) && is_below(path) && access(path, F_OK) && fails() ? -1 : 0;
}

#define OPENER(name, declaration, call) \
	SLOT(name); \
	int name declaration { \
		mode_t mode = 0; \
		if (flags & (O_CREAT | O_TMPFILE)) { \
			va_list list; \
			va_start(list, flags); \
			mode = va_arg(list, mode_t); \
			va_end(list); \
		} \
		if (opens(path, flags)) return -1; \
		return REAL(name) call; \
	}
OPENER(open, (const char *path, int flags, ...), (path, flags, mode))
OPENER(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENER(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENER(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))

static void shift(struct timespec *moment) {
	int64_t offset = control->offset_ms;
	moment->tv_sec += offset / 1000;
	moment->tv_nsec += offset % 1000 * 1000000;
	if (moment->tv_nsec < 0) moment->tv_sec--, moment->tv_nsec += 1000000000;
	if (moment->tv_nsec >= 1000000000) moment->tv_sec++, moment->tv_nsec -= 1000000000;
}

SLOT(clock_gettime);
int clock_gettime(clockid_t clock, struct timespec *moment) {
	int result = REAL(clock_gettime)(clock, moment);
	if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(moment);
	return result;
}

static struct timespec wall(void) {
	struct timespec moment;
	clock_gettime(CLOCK_REALTIME, &moment);
	return moment;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
	(void)zone;
	struct timespec now = wall();
	moment->tv_sec = now.tv_sec;
	moment->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *place) {
	struct timespec now = wall();
	if (place) *place = now.tv_sec;
	return now.tv_sec;
}

// The kernel compares such a moment with its wall clock, again after each jump: here that is looked at every few milliseconds.
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
	while (1) {
		struct timespec now = wall();
		int64_t rest = (int64_t)(until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec;
		struct timespec slice;
		clock_gettime(CLOCK_MONOTONIC, &slice);
		slice.tv_nsec += rest < 0 ? 0 : rest < 5000000 ? (long)rest : 5000000;
		if (slice.tv_nsec >= 1000000000) slice.tv_sec++, slice.tv_nsec -= 1000000000;
		if (!sem_clockwait(semaphore, CLOCK_MONOTONIC, &slice)) return 0;
		if (errno != ETIMEDOUT || rest <= 0) return -1;
	}
}
