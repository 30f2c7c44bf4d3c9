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
            case let error as DatabaseError where error.isReadOnly:
                "it can't be written to: give this program write access to it and its folder"
            case let error as DatabaseError where error.isFull: "the disk is full: free some space, and try again"
            case let error as DatabaseError where error.isBusy:
                "another program writes to it for too long: end that one, or try again"
            case let error as DatabaseError: error.message
            default: "\(error)"
            }
        description = "the feeds can't be kept in '\(path)': \(problem)"
    }

    init(_ problem: String) { description = problem }
}
