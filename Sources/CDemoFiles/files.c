#include "CDemoFiles.h"

// #embed is C23, and older language modes of clang know it too.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file below Sources/demo-server/Files; a test compares the list with the folder.
static const struct demo_file files[] = {
#define FILE "new-routes/AGENTS.md"
#include "../demo-server/Files/embed.inc"
#define FILE "new-routes/account/log_in.rpc.yaml"
#include "../demo-server/Files/embed.inc"
#define FILE "new-routes/index.page.yaml"
#include "../demo-server/Files/embed.inc"
#define FILE "new-routes/log_in.page.yaml"
#include "../demo-server/Files/embed.inc"
#define FILE "new-routes/tasks/[id].page.yaml"
#include "../demo-server/Files/embed.inc"
#define FILE "new-routes/tasks/index.page.json"
#include "../demo-server/Files/embed.inc"
#define FILE "new/AGENTS.md"
#include "../demo-server/Files/embed.inc"
#define FILE "new/Dockerfile.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/Package.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/README.md"
#include "../demo-server/Files/embed.inc"
#define FILE "new/a2ui/App.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/a2ui/AppTests.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/applin/App.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/applin/AppTests.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/dynamic-views/App.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/dynamic-views/AppTests.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/floki/App.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/floki/AppTests.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/tests.yml"
#include "../demo-server/Files/embed.inc"
#define FILE "new/xpedite/App.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "new/xpedite/AppTests.swift.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "pictures.js"
#include "../demo-server/Files/embed.inc"
#define FILE "reports.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "stories.txt"
#include "../demo-server/Files/embed.inc"
#define FILE "tabs/about.png"
#include "../demo-server/Files/embed.inc"
#define FILE "tabs/movie.png"
#include "../demo-server/Files/embed.inc"
#define FILE "tabs/news.png"
#include "../demo-server/Files/embed.inc"
#define FILE "tabs/photos.png"
#include "../demo-server/Files/embed.inc"
    {0, 0, 0},
};

const struct demo_file *demo_first_file(void) { return files; }

#ifndef BACKLOT_COMMIT
#define BACKLOT_COMMIT "unknown"
#endif

const char *demo_commit(void) { return BACKLOT_COMMIT; }
