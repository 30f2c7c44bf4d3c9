#ifndef CPREVIEWFILES_H
#define CPREVIEWFILES_H

/// A file of the preview's web client, compiled into the program.
struct preview_file {
    /// Its path below Web/.
    const char *path;
    /// Its bytes, with a NUL after them: such files are texts.
    const unsigned char *bytes;
};

/// The first of the files, which stand one after the other. After the last comes one without a path.
const struct preview_file *preview_first_file(void);

#endif
