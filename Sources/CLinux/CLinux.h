// What Linux has beyond POSIX and the Glibc module leaves out: epoll, eventfd and accept4.
#ifndef BACKLOT_CLINUX_H
#define BACKLOT_CLINUX_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// glibc declares it for _GNU_SOURCE only, and defining that here would contradict the Glibc module.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif

#endif
