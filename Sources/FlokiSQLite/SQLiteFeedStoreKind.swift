public import Backlot
public import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FeedStoreKind {
    /// In a file of SQLite: `sqlite:PATH`. Where no choice is written, it is `backlot/PROGRAM-feeds.sqlite` where programs keep
    /// their state: in the folder of `XDG_STATE_HOME`, or else in `.local/state` below `HOME`. A missing folder is made.
    public static var sqlite: FeedStoreKind {
        inSQLiteFile(content: "-feeds", example: "feeds") { path, logger in
            let folder = URL(filePath: path).deletingLastPathComponent().path
            // What is wrong with the folder is the store's to report.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try SQLiteFeedStore(path, logger: logger)
        }
    }
}
