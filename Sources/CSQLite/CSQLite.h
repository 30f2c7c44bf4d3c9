// The library of SQLite: Debian's libsqlite3-dev, Homebrew's sqlite.
#ifndef BACKLOT_CSQLITE_H
#define BACKLOT_CSQLITE_H

#include <sqlite3.h>
#include <stddef.h>

// What the library offers as macros and with variable arguments only.

// The library copies what is bound. A null pointer would be NULL, so what is empty points to something.
static inline int backlot_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_text(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int backlot_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

// A name in quotation marks that is no column is a mistake, and not a text.
static inline void backlot_sqlite_refuse_quoted_texts(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
}

#endif
