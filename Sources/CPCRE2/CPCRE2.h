// The library of regular expressions, for UTF-8: Debian's libpcre2-dev, Homebrew's pcre2.
#ifndef BACKLOT_CPCRE2_H
#define BACKLOT_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
