// The HTTP/2 library: Debian's libnghttp2-dev, Homebrew's libnghttp2.
#ifndef BACKLOT_CNGHTTP2_H
#define BACKLOT_CNGHTTP2_H

#include <nghttp2/nghttp2.h>

#endif
