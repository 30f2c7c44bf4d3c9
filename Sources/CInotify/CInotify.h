// What tells of changes in a folder on Linux (inotify(7)), which the Glibc module leaves out.
#ifndef BACKLOT_CINOTIFY_H
#define BACKLOT_CINOTIFY_H

#ifdef __linux__
#include <sys/inotify.h>
#endif

#endif
