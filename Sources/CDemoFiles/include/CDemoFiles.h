#ifndef CDEMOFILES_H
#define CDEMOFILES_H

/// A file that is compiled into demo-server.
struct demo_file {
    /// Its path below Files/.
    const char *path;
    const unsigned char *bytes;
    unsigned long count;
};

/// The first of the files, which stand one after the other. After the last comes one without a path.
const struct demo_file *demo_first_file(void);

/// The commit that the program was built from, or "unknown".
const char *demo_commit(void);

#endif
