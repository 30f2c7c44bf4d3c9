public import Backlot
import BacklotDatabase

/// The reason why a file can't store feeds. It results in a 503 while the disk is full or fails, or others lock the file for too
/// long, and in a 500 if trying again is useless.
public struct FeedFileError: HTTPError, CustomStringConvertible {
    /// The file and the error.
    public let description: String
    /// Whether the same call may work later.
    private let isPassing: Bool

    init(path: String, _ error: any Error) {
        isPassing =
            switch error {
            case let error as FeedFileError: error.isPassing
            case let error as DatabaseError: error.isPassing
            default: false
            }
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
                "another program has locked it for too long: end that program, or try again"
            case let error as DatabaseError: error.message
            default: "\(error)"
            }
        description = "the feeds can't be kept in '\(path)': \(problem)"
    }

    init(_ problem: String) {
        description = problem
        isPassing = false
    }

    /// 503, or 500.
    public var status: HTTPResponse.Status { isPassing ? .serviceUnavailable : .internalServerError }
    /// Empty: the log has the reason.
    public var reason: String { "" }
    /// `Retry-After` with 503 (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { isPassing ? [.retryAfter: "5"] : [:] }
}
