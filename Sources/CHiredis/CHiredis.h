// The client library of Redis: Debian's libhiredis-dev, Homebrew's hiredis.
#ifndef BACKLOT_CHIREDIS_H
#define BACKLOT_CHIREDIS_H

#include <hiredis/hiredis.h>

#endif
