// What Linux has beyond POSIX and the Glibc module leaves out: epoll, eventfd, accept4, socket filters, preadv2 and sendfile.
#ifndef BACKLOT_CLINUX_H
#define BACKLOT_CLINUX_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

// glibc declares these for _GNU_SOURCE only, and defining that here would contradict the Glibc module.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern ssize_t preadv2(int descriptor, const struct iovec *pieces, int count, off_t offset, int flags);
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008
#endif

// SO_ATTACH_FILTER's argument, as the system lays it out (socket(7)): <linux/filter.h> would contradict the Glibc module.
struct socket_filter_step { unsigned short code; unsigned char jump_true, jump_false; unsigned int value; };
struct socket_filter { unsigned short length; const struct socket_filter_step *steps; };
#endif

#endif
