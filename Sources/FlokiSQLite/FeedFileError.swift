import BacklotDatabase

/// Why a file can't store feeds.
public struct FeedFileError: Error, CustomStringConvertible {
    /// The file, and what is wrong with it.
    public let description: String

    init(path: String, _ error: any Error) {
        let problem =
            switch error {
            case let error as FeedFileError: error.description
            case let error as DatabaseError where error.isNoDatabase: "it is not an SQLite file"
            case let error as DatabaseError where error.cantOpen:
                "it can't be opened: create its folder, and give this program write access"
            case let error as DatabaseError: error.message
            default: "\(error)"
            }
        description = "the feeds can't be kept in '\(path)': \(problem)"
    }

    init(_ problem: String) { description = problem }
}
