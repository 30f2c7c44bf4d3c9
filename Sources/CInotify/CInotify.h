// What reports changes in a folder on Linux (inotify(7)), and where it does (statfs(2)), which the Glibc module leaves out.
#ifndef BACKLOT_CINOTIFY_H
#define BACKLOT_CINOTIFY_H

#ifdef __linux__
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

#endif
