// Lets LeakSanitizer follow Swift's references: LD_PRELOAD puts it into programs that were built with AddressSanitizer, and into
// others it brings nothing.
//
// LeakSanitizer takes a word for a reference if it is an address. Swift keeps the case of an enum, and what kind a string is, in
// the upper byte of the address that goes with it, and the address of what weak references share in a form of its own. Whatever
// lives by such words alone would be reported. So before LeakSanitizer looks, at the end of the process, this walks from the
// variables of all libraries and the stacks of all threads to everything that they refer to in either way, and names to
// LeakSanitizer what it can't see. It finds the rest by itself, and reports leaks with their stacks as ever.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma weak __sanitizer_get_allocated_begin
#pragma weak __sanitizer_get_allocated_size_fast
#pragma weak __lsan_ignore_object
extern const void *__sanitizer_get_allocated_begin(const void *address);
extern size_t __sanitizer_get_allocated_size_fast(const void *begin);
extern void __lsan_ignore_object(const void *begin);

typedef uintptr_t word;

// Addresses of programs are below this.
static const word top = (word)1 << 47;

// What was found, by its address, as an open hash table; and what is still to be read. Neither may come from the allocator, whose
// blocks are looked at.
static word *found, *waiting;
static size_t capacity = 1 << 16, found_count, waiting_count;

static word *make_table(size_t words) {
	void *table = mmap(NULL, words * sizeof(word), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (table == MAP_FAILED) abort();
	return table;
}

static word *place(word *table, size_t capacity, word block) {
	size_t index = (block >> 4) * 0x9E3779B97F4A7C15u & (capacity - 1);
	while (table[index] != 0 && table[index] != block) index = (index + 1) & (capacity - 1);
	return &table[index];
}

static void grow(void) {
	word *larger = make_table(capacity * 2), *more = make_table(capacity * 2);
	for (size_t index = 0; index < capacity; index++)
		if (found[index] != 0) *place(larger, capacity * 2, found[index]) = found[index];
	memcpy(more, waiting, waiting_count * sizeof(word));
	munmap(found, capacity * sizeof(word));
	munmap(waiting, capacity * sizeof(word));
	found = larger;
	waiting = more;
	capacity *= 2;
}

// Follows what may be a reference. LeakSanitizer sees those that are plain.
static void follow(word address, int plain) {
	if (address < 4096 || address >= top) return;
	word block = (word)__sanitizer_get_allocated_begin((void *)address);
	if (block == 0 || address >= block + __sanitizer_get_allocated_size_fast((void *)block)) return;
	word *entry = place(found, capacity, block);
	if (*entry == block) return;
	*entry = block;
	if (!plain) __lsan_ignore_object((void *)block);
	waiting[waiting_count++] = block;
	if (++found_count * 2 > capacity) grow();
}

// Reads memory that other threads may still change, or give back.
static void read_words(word begin, word end) {
	static word buffer[8192];
	begin = (begin + 7) & ~(word)7;
	while (begin + sizeof(word) <= end) {
		size_t length = end - begin < sizeof buffer ? end - begin : sizeof buffer;
		struct iovec here = {buffer, length}, there = {(void *)begin, length};
		ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
		if (count < (ssize_t)sizeof(word)) return;
		for (size_t index = 0; index < count / sizeof(word); index++) {
			word it = buffer[index];
			if (it < top) {
				follow(it, 1);
				continue;
			}
			// An enum's case or a string's kind, in the upper byte.
			follow(it & 0x00FFFFFFFFFFFFFF, 0);
			// An object's count of references, moved elsewhere: the upper two bits are set, the address is shifted by three.
			if (it >> 62 == 3) follow(it << 3 & (top - 1), 0);
		}
		begin += count & ~(ssize_t)7;
	}
}

static int read_library(struct dl_phdr_info *library, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int index = 0; index < library->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W)) continue;
		word begin = library->dlpi_addr + segment->p_vaddr;
		read_words(begin, begin + segment->p_memsz);
	}
	return 0;
}

// The end of the mapping that an address is in; 0 for none.
static word end_of_mapping(word address) {
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long begin, end, result = 0;
	char line[512];
	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin <= address && address < end) result = end;
	if (maps) fclose(maps);
	return result;
}

// The stack pointer of a thread that waits; 0 for one that runs.
static word stack_pointer(const char *thread) {
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/self/task/%.16s/syscall", thread);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return 0;
	ssize_t count = read(file, line, sizeof line - 1);
	close(file);
	line[count < 0 ? 0 : count] = 0;
	char *counter = strrchr(line, ' ');
	if (!counter) return 0;
	*counter = 0;
	char *pointer = strrchr(line, ' ');
	return pointer ? strtoul(pointer, NULL, 16) : 0;
}

static void read_stacks(void) {
	word here = (word)__builtin_frame_address(0);
	read_words(here, end_of_mapping(here));
	DIR *threads = opendir("/proc/self/task");
	for (struct dirent *thread; threads && (thread = readdir(threads));) {
		word pointer = stack_pointer(thread->d_name);
		if (pointer != 0) read_words(pointer, end_of_mapping(pointer));
	}
	if (threads) closedir(threads);
}

static void name_references(void) {
	found = make_table(capacity);
	waiting = make_table(capacity);
	dl_iterate_phdr(read_library, NULL);
	read_stacks();
	while (waiting_count != 0) {
		word block = waiting[--waiting_count];
		// Another thread may have freed it meanwhile.
		if ((word)__sanitizer_get_allocated_begin((void *)block) != block) continue;
		read_words(block, block + __sanitizer_get_allocated_size_fast((void *)block));
	}
}

// At the end, what is registered last runs first: LeakSanitizer has registered its part before `main`.
static int (*program)(int, char **, char **);

static int begin(int count, char **arguments, char **environment) {
	if (__sanitizer_get_allocated_begin && __sanitizer_get_allocated_size_fast && __lsan_ignore_object) atexit(name_references);
	return program(count, arguments, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, void (*init)(void), void (*fini)(void),
		void (*loader_fini)(void), void *stack_end) {
	int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	program = main;
	return start(begin, count, arguments, init, fini, loader_fini, stack_end);
}
