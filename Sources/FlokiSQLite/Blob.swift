import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes as SQLite takes and gives them.
extension FeedWriter {
    static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }
}

extension FeedReader {
    static func bytes(_ data: Data) -> [UInt8] { Array(data) }
}
