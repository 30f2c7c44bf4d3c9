import GRDB

/// Why a file can't be used as a store of feeds.
public struct FeedFileError: Error, CustomStringConvertible {
    /// What is wrong, and with which file.
    public let description: String

    init(path: String, _ error: any Error) {
        let problem =
            switch error {
            case let error as FeedFileError: error.description
            case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB: "it is no SQLite file"
            case let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN:
                "it can't be opened: make its folder, and let this program write to it"
            case let error as DatabaseError: error.message ?? "\(error.resultCode)"
            default: "\(error)"
            }
        description = "the feeds can't be kept in '\(path)': \(problem)"
    }

    init(_ problem: String) { description = problem }
}
