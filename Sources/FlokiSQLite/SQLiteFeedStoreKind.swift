public import Backlot
public import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FeedStoreKind {
    /// In a file of SQLite: `sqlite:PATH`. By default, it is `backlot/PROGRAM-feeds.sqlite` in the place where programs keep
    /// their state: in the folder of `XDG_STATE_HOME`, or else in `.local/state` below `HOME`. A missing folder is created.
    public static var sqlite: FeedStoreKind {
        inSQLiteFile(content: "-feeds", example: "feeds") { path, logger in
            let folder = URL(filePath: path).deletingLastPathComponent().path
            // The store reports a problem with the folder.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try SQLiteFeedStore(path, logger: logger)
        }
    }
}
