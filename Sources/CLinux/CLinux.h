// What Linux has beyond POSIX and the Glibc module leaves out: epoll, eventfd, accept4 and socket filters.
#ifndef BACKLOT_CLINUX_H
#define BACKLOT_CLINUX_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// glibc declares it for _GNU_SOURCE only, and defining that here would contradict the Glibc module.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// SO_ATTACH_FILTER's argument, as the system lays it out (socket(7)): <linux/filter.h> would contradict the Glibc module.
struct socket_filter_step { unsigned short code; unsigned char jump_true, jump_false; unsigned int value; };
struct socket_filter { unsigned short length; const struct socket_filter_step *steps; };
#endif

#endif
