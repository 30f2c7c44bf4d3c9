// What Linux has beyond POSIX and the Glibc module leaves out: epoll, eventfd, timers as descriptors, accept4, socket filters, preadv2, sendfile,
// openat2, renameat2, sched_getaffinity, and glibc's malloc_trim and mallopt.
#ifndef BACKLOT_CLINUX_H
#define BACKLOT_CLINUX_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>

// glibc declares these for _GNU_SOURCE only, and defining that here would contradict the Glibc module.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern ssize_t preadv2(int descriptor, const struct iovec *pieces, int count, off_t offset, int flags);
extern int close(int descriptor);
extern long syscall(long number, ...);
#ifdef __GLIBC__
extern int malloc_trim(size_t kept);
extern int mallopt(int parameter, int value);

// How many arenas there are at most: M_ARENA_MAX of <malloc.h>.
static inline void malloc_arenas(int most) { mallopt(-8, most); }
// From how many bytes on a block is mapped on its own, and how many free ones the end of a heap keeps: M_MMAP_THRESHOLD, M_TRIM_THRESHOLD.
static inline void malloc_thresholds(int mapped, int kept) { mallopt(-3, mapped); mallopt(-1, kept); }
#endif
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

// SO_ATTACH_FILTER's argument, as the system lays it out (socket(7)): <linux/filter.h> would contradict the Glibc module.
struct socket_filter_step { unsigned short code; unsigned char jump_true, jump_false; unsigned int value; };
struct socket_filter { unsigned short length; const struct socket_filter_step *steps; };

// Sends a state to the service manager's socket (sd_notify(3)); '@' begins a name without a file. Returns 0, or -1 where that fails.
static inline int notify_service_manager(const char *path, const char *state) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = __builtin_strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) return -1;
    __builtin_memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    ssize_t sent = sendto(descriptor, state, __builtin_strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
                          __builtin_offsetof(struct sockaddr_un, sun_path) + length);
    close(descriptor);
    return sent < 0 ? -1 : 0;
}

// How many processors this process may run on; 0 where there are more than 8192.
static inline int processors_allowed(void) {
    unsigned long allowed[128];
    int count = 0;
    for (long bytes = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed) - 1; bytes > 0; bytes -= sizeof allowed[0]) {
        count += __builtin_popcountl(allowed[bytes / sizeof allowed[0]]);
    }
    return count;
}

// A timer as a descriptor, by CLOCK_MONOTONIC: timerfd_create(2) and timerfd_settime(2), whose header would contradict the Glibc
// module. It rings at a time; 0 and 0 is never.
static inline int timer_open(void) { return (int) syscall(SYS_timerfd_create, 1, 02000000 | 00004000); }
static inline int timer_set(int timer, long seconds, long nanoseconds) {
    struct { long interval[2], value[2]; } setting = { { 0, 0 }, { seconds, nanoseconds } };
    return (int) syscall(SYS_timerfd_settime, timer, 1, &setting, (void *) 0);
}

// openat2(2), for which glibc has no function: opens what a path leads to below a folder. Symbolic links and ways out of the
// folder are refused. With `cached`, it fails with EAGAIN rather than wait for the disk (Linux 5.12).
static inline int open_beneath(int folder, const char *path, int flags, int cached) {
    // RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH and RESOLVE_CACHED, from <linux/openat2.h>.
    struct { unsigned long long flags, mode, resolve; } how = { (unsigned) flags, 0, 0x02 | 0x04 | 0x08 | (cached ? 0x20 : 0) };
#ifdef SYS_openat2
    return (int) syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
    return (int) syscall(437, folder, path, &how, sizeof how);
#endif
}

// renameat2(2) with RENAME_EXCHANGE, which musl lacks before 1.2.6: two paths, relative ones below the current folder, change places.
static inline int exchange_paths(const char *path, const char *other) {
    return (int) syscall(SYS_renameat2, -100, path, -100, other, 2u);
}
#endif

#endif
