// The client library of PostgreSQL: Debian's libpq-dev, Homebrew's libpq.
#ifndef BACKLOT_CPOSTGRESQL_H
#define BACKLOT_CPOSTGRESQL_H

#include <libpq-fe.h>

// What the library offers as macros of characters only.
static const int BACKLOT_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int BACKLOT_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int BACKLOT_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;

#endif
