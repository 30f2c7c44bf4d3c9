// Tells ThreadSanitizer what orders threads in Swift's libraries, which aren't built with it: LD_PRELOAD puts this into programs
// that are, and into others it brings nothing.
//
// A mutex of Swift's Synchronization is taken and given back in the program's own code, which ThreadSanitizer sees, until two
// threads want it at a time: then the library and the kernel do it, and what one thread wrote under the mutex and the next one
// reads would be reported. And a continuation that is resumed before its task waits for it lets the task go on at once, without
// a word to ThreadSanitizer. Nothing is suppressed: what the libraries order is ordered here as well, and no more.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#pragma weak __tsan_acquire
#pragma weak __tsan_release
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

// Swift passes self in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// _MutexHandle._lockSlow(_:)
SWIFT void $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF) {
	static SWIFT void (*lock)(uint32_t, SELF);
	if (!lock) *(void **)&lock = next("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
	lock(thread, self);
	if (__tsan_acquire) __tsan_acquire(self);
}

// _MutexHandle._tryLockSlow()
SWIFT bool $s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(SELF) {
	static SWIFT bool (*try)(SELF);
	if (!try) *(void **)&try = next("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
	bool is_locked = try(self);
	if (is_locked && __tsan_acquire) __tsan_acquire(self);
	return is_locked;
}

// _MutexHandle._unlockSlow()
SWIFT void $s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF) {
	static SWIFT void (*unlock)(SELF);
	if (!unlock) *(void **)&unlock = next("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
	if (__tsan_release) __tsan_release(self);
	unlock(self);
}

// A task gives back the memory of each asynchronous call when that has returned. The thread that resumed it is noted under the
// task's address.
SWIFT void swift_task_dealloc(void *memory) {
	static SWIFT void *(*current)(void);
	static SWIFT void (*dealloc)(void *);
	if (!current) *(void **)&current = next("swift_task_getCurrent");
	if (!dealloc) *(void **)&dealloc = next("swift_task_dealloc");
	if (__tsan_acquire) __tsan_acquire(current());
	dealloc(memory);
}
