public import Backlot
public import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FeedStoreKind {
    /// Feeds in a SQLite file: `sqlite:PATH`. The default is `backlot/PROGRAM-feeds.sqlite` in the user's state folder:
    /// `XDG_STATE_HOME` if it is set, otherwise `.local/state` below `HOME`. A missing folder is created.
    public static var sqlite: FeedStoreKind {
        inSQLiteFile(content: "-feeds", example: "feeds") { path, logger in
            let folder = URL(filePath: path).deletingLastPathComponent().path
            // The store reports a problem with the folder.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try SQLiteFeedStore(path, logger: logger)
        }
    }
}
