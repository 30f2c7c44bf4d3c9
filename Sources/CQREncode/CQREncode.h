// The library of QR codes: Debian's libqrencode-dev, Homebrew's qrencode.
#ifndef BACKLOT_CQRENCODE_H
#define BACKLOT_CQRENCODE_H

#include <qrencode.h>

#endif
