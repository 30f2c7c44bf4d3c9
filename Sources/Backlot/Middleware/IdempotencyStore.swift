#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A store of responses for retries.
public protocol IdempotencyStore: Sendable {
    /// Begins a request with an id, unless it exists. Of two that begin at the same time, one gets `begun`.
    ///
    /// - Parameters:
    ///   - id: the client and its key, as hexadecimal digits.
    ///   - fingerprint: identifies the request's contents, as hexadecimal digits.
    ///   - lifetime: the time that the store remembers the request.
    /// - Throws: if the store is unreachable or full.
    func begin(_ id: String, fingerprint: String, lifetime: Duration) async throws -> IdempotencyState

    /// Keeps the response to a request that was begun.
    ///
    /// - Parameter response: the response; nil for one that can't be kept.
    func finish(_ id: String, with response: KeptResponse?, lifetime: Duration) async throws

    /// Forgets a request that was begun, so that it may begin again.
    func abandon(_ id: String) async throws
}

/// The state of a request in a store.
public enum IdempotencyState: Sendable, Equatable {
    /// The request was unknown and begins now.
    case begun
    /// The request is being handled.
    case underWay(fingerprint: String)
    /// The request was handled; the response is nil if it couldn't be kept.
    case done(fingerprint: String, KeptResponse?)

    var fingerprint: String? {
        switch self {
        case .begun: nil
        case .underWay(let fingerprint), .done(let fingerprint, _): fingerprint
        }
    }
}

/// A response to give again.
public struct KeptResponse: Sendable, Equatable, Codable {
    /// The status.
    public let status: Int
    /// The names and values of the header fields, in turn.
    public let fields: [String]
    /// The body. In JSON it is base64.
    public var body: [UInt8] { Array(data) }
    private let data: Data

    private enum CodingKeys: String, CodingKey { case status, fields, data = "body" }

    /// Keeps a response; nil for one without its body in bytes, or with a body that is too large.
    init?(_ response: Response, upTo limit: Int) {
        switch response.body {
        case .empty: data = Data()
        case .bytes(let bytes) where bytes.count <= limit: data = Data(bytes)
        case .bytes, .file, .stream, .fault: return nil
        }
        status = response.status.code
        fields = response.headers.flatMap { [$0.name.rawName, $0.value] }
    }

    /// The response.
    var response: Response {
        var headers = HTTPFields()
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard let name = HTTPField.Name(fields[index]) else { continue }
            headers.append(HTTPField(name: name, value: fields[index + 1]))
        }
        return Response(
            status: 200...599 ~= status ? .standard(status) : .internalServerError,
            headers: headers,
            body: data.isEmpty ? .empty : .bytes(body)
        )
    }

    /// The approximate size in memory, in bytes.
    package var size: Int { fields.reduce(data.count + 200) { $0 + $1.utf8.count + 32 } }
}

/// Keeps responses in the memory of this process, for a single server. When there are too many, the oldest are dropped, but never a
/// request that is still being handled.
public final class MemoryIdempotencyStore: IdempotencyStore {
    fileprivate struct Entry {
        let fingerprint: String
        let end: ContinuousClock.Instant
        var isDone = false
        var response: KeptResponse?

        var size: Int { 300 + (response?.size ?? 0) }
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        /// The finished requests with their ends, the oldest first. Some may have been removed, or begun again with another end.
        var ended: [(id: String, end: ContinuousClock.Instant)] = []
        var firstEnded = 0
        var bytes = 0
    }

    private let maximumCount: Int
    private let maximumBytes: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Locked(State())

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - maximumCount: the maximum number of remembered requests, including unfinished ones.
    ///   - maximumBytes: their approximate maximum size, in bytes.
    public convenience init(maximumCount: Int = 50_000, maximumBytes: Int = 64 * 1024 * 1024) {
        self.init(maximumCount: maximumCount, maximumBytes: maximumBytes) { .now }
    }

    init(maximumCount: Int, maximumBytes: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        precondition(maximumCount >= 1, "maximumCount must be at least 1, but is \(maximumCount)")
        precondition(maximumBytes >= 1, "maximumBytes must be at least 1, but is \(maximumBytes)")
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.now = now
    }

    /// The number of remembered requests.
    var count: Int { state.withLock { $0.entries.count } }

    /// Begins a request with an id, unless it exists.
    ///
    /// - Throws: `StatusError` with 503 if all remembered requests are unfinished.
    public func begin(_ id: String, fingerprint: String, lifetime: Duration) throws(StatusError) -> IdempotencyState {
        let now = now()
        let state: IdempotencyState? = state.withLock { state in
            while state.removeOldest(until: now) {}
            if let entry = state.entries[id] {
                guard entry.isDone, entry.end <= now else {
                    return entry.isDone
                        ? .done(fingerprint: entry.fingerprint, entry.response)
                        : .underWay(fingerprint: entry.fingerprint)
                }
                state.remove(id)
            }
            while state.entries.count >= maximumCount { guard state.removeOldest() else { return nil } }
            let entry = Entry(fingerprint: fingerprint, end: now + lifetime)
            state.entries[id] = entry
            state.bytes += entry.size
            return .begun
        }
        guard let state else {
            throw StatusError(
                .serviceUnavailable,
                "too many requests with an Idempotency-Key are under way: try again soon",
                headers: [.retryAfter: "1"]
            )
        }
        return state
    }

    /// Keeps the response to a request that was begun.
    public func finish(_ id: String, with response: KeptResponse?, lifetime: Duration) {
        let end = now() + lifetime
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            state.bytes -= entry.size
            let done = Entry(fingerprint: entry.fingerprint, end: end, isDone: true, response: response)
            state.bytes += done.size
            state.entries[id] = done
            state.ended.append((id, end))
            while state.bytes > maximumBytes, state.removeOldest() {}
        }
    }

    /// Forgets a request that was begun.
    public func abandon(_ id: String) { state.withLock { $0.remove(id) } }
}

extension MemoryIdempotencyStore.State {
    mutating func remove(_ id: String) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.size }
    }

    /// Removes the oldest finished request.
    ///
    /// - Parameter now: the time when it must have expired; nil to remove it in any case.
    /// - Returns: whether it removed one.
    mutating func removeOldest(until now: ContinuousClock.Instant? = nil) -> Bool {
        while firstEnded < ended.count {
            let (id, end) = ended[firstEnded]
            let isThere = entries[id].map { $0.isDone && $0.end == end } ?? false
            if isThere, let now, end > now { return false }
            firstEnded += 1
            if firstEnded > 1024, firstEnded > ended.count / 2 {
                ended.removeFirst(firstEnded)
                firstEnded = 0
            }
            guard isThere else { continue }
            remove(id)
            return true
        }
        return false
    }
}
