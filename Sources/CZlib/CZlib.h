// The compression library: Debian's zlib1g-dev; part of macOS.
#ifndef BACKLOT_CZLIB_H
#define BACKLOT_CZLIB_H

#include <zlib.h>

#endif
