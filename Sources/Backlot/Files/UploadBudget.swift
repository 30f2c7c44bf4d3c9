internal import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The room on the disk for uploads that aren't complete, and for forms' files while something holds them: clients that never finish
/// can't fill the disk.
public final class UploadBudget: Sendable {
    /// The budget of all uploads that name no other: 512 MB.
    public static let shared = UploadBudget(bytes: 512 << 20)

    private let state: Locked<(limit: Int, used: Int)>

    /// A separate budget, for a kind of uploads.
    ///
    /// - Parameter bytes: the most bytes of all of them together.
    public init(bytes: Int) {
        state = Locked((bytes, 0))
    }

    /// The most bytes. An upload beyond it gets 503, and one that alone is larger 413.
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Takes `count` bytes for a file that has `size` bytes.
    fileprivate func take(_ count: Int, for size: Int) throws {
        try state.withLock { state in
            guard size + count <= state.limit else { throw RequestError.bodyTooLarge(limit: state.limit) }
            guard state.used + count <= state.limit else { throw UploadError.tooManyUploads }
            state.used += count
        }
    }

    fileprivate func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}

/// The part of a budget that a file takes, until nothing holds the part any more.
final class UploadShare: Sendable {
    private let budget: UploadBudget
    private let size = Locked(0)

    init(_ budget: UploadBudget) {
        self.budget = budget
    }

    /// Takes a part for further bytes of the file, before they are written.
    func grow(by count: Int) throws {
        try size.withLock { size in
            try budget.take(count, for: size)
            size += count
        }
    }

    deinit { budget.giveBack(size.withLock { $0 }) }
}

/// An upload that the server has no room for.
public enum UploadError: HTTPError, Equatable {
    /// The uploads that are on their way take all of their ``UploadBudget``.
    case tooManyUploads
    /// The disk is full, or a limit of the system on files is reached. The log has the file.
    case diskFull

    /// 503, or 507 (RFC 4918, section 11.5).
    public var status: HTTPResponse.Status {
        switch self {
        case .tooManyUploads: .serviceUnavailable
        case .diskFull: .insufficientStorage
        }
    }

    /// The reason, for people.
    public var reason: String {
        switch self {
        case .tooManyUploads: "the server takes too many uploads at the moment: try again later"
        case .diskFull: "the server's disk has no room for this upload"
        }
    }

    /// `Retry-After` (RFC 9110, section 10.2.3) for 503.
    public var headers: HTTPFields { self == .tooManyUploads ? [.retryAfter: "10"] : [:] }

    /// Does something with an upload's file; an error for want of room becomes `diskFull`.
    static func checkingDisk<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileError where [ENOSPC, EDQUOT, EFBIG].contains(error.code) {
            Logger(label: "backlot.uploads").error("an upload isn't kept: \(error)")
            throw diskFull
        }
    }
}

extension HTTPResponse.Status {
    /// 507 (RFC 4918, section 11.5).
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
