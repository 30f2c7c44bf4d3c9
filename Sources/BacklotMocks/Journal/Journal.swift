public import Backlot

/// The last requests to mocks with their responses, as many as fit into its limits.
///
/// It is a backend's observer: `configuration.observer = journal`.
public final class Journal: MockObserver {
    private let ring: Locked<JournalRing>
    private let maximumBodySize: Int
    private let prefix: String
    private let clock: @Sendable () -> Int64

    /// An empty journal.
    ///
    /// - Parameters:
    ///   - maximumEntries: the most entries.
    ///   - maximumBodyBytes: the most bytes of all bodies, of requests and responses.
    ///   - maximumBodySize: the largest body to keep, in bytes.
    ///   - path: the path that the mocks are mounted at, which begins and ends with a slash.
    ///   - clock: the current time, in milliseconds since 1970; nil for the system's clock.
    public init(
        maximumEntries: Int = 1000,
        maximumBodyBytes: Int = 16 * 1024 * 1024,
        maximumBodySize: Int = 256 * 1024,
        path: String = "/",
        clock: (@Sendable () -> Int64)? = nil
    ) {
        precondition(maximumEntries > 0, "a journal has room for at least 1 entry, not for \(maximumEntries)")
        ring = Locked(JournalRing(maximumEntries: maximumEntries, maximumBodyBytes: max(0, maximumBodyBytes)))
        self.maximumBodySize = min(maximumBodySize, maximumBodyBytes / 2)
        prefix = String(path.dropLast())
        self.clock = clock ?? { TemplateDate.now.milliseconds }
    }

    /// Notes an exchange.
    public func responded(_ exchange: MockExchange) {
        add(exchange.request, exchange.stub, exchange.response, nil)
    }

    /// Notes a request that got a requested fault instead of a response. Its body was not read.
    public func responded(_ request: Request, _ fault: Fault, _ response: Response) {
        add(MockRequest(request, body: [], below: prefix), nil, response, fault)
    }

    private func add(_ request: MockRequest, _ stub: Stub?, _ response: Response, _ fault: Fault?) {
        let entry = JournalEntry(
            request,
            stub: stub,
            response: response,
            fault: fault,
            time: clock(),
            maximumBodyBytes: maximumBodySize
        )
        ring.withLock { $0.add(entry) }
    }

    /// The entries, the newest first.
    public var entries: [JournalEntry] { ring.withLock { $0.entries }.reversed() }

    /// The entry with an id; nil once it has been removed.
    public func entry(_ id: StubID) -> JournalEntry? { ring.withLock { $0.entries.first { $0.id == id } } }

    /// The entries with requests that match a pattern, the newest first.
    public func entries(matching pattern: RequestPattern) -> [JournalEntry] {
        var budget = MatchBudget.command
        return entries(matching: pattern, &budget)
    }

    func entries(matching pattern: RequestPattern, _ budget: inout MatchBudget) -> [JournalEntry] {
        entries.filter { $0.isMatched(by: pattern, &budget) }
    }

    /// Removes entries.
    ///
    /// - Returns: the removed entries, the newest first.
    @discardableResult
    public func remove(where isUnwanted: (JournalEntry) -> Bool) -> [JournalEntry] {
        ring.withLock { $0.remove(where: isUnwanted) }
    }

    /// Removes every entry.
    public func removeAll() {
        remove { _ in true }
    }
}

/// The last entries of a journal, as many as fit into its limits. A value without I/O.
struct JournalRing: Sendable {
    private let maximumEntries: Int
    private let maximumBodyBytes: Int
    /// The oldest first.
    private(set) var entries: [JournalEntry] = []
    private(set) var bodyBytes = 0

    init(maximumEntries: Int, maximumBodyBytes: Int) {
        self.maximumEntries = maximumEntries
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Adds an entry. The oldest ones are removed if they don't fit any more.
    mutating func add(_ entry: JournalEntry) {
        entries.append(entry)
        bodyBytes += entry.keptBytes
        var surplus = max(0, entries.count - maximumEntries)
        var bytes = bodyBytes - entries[..<surplus].reduce(0) { $0 + $1.keptBytes }
        while bytes > maximumBodyBytes {
            bytes -= entries[surplus].keptBytes
            surplus += 1
        }
        if surplus > 0 { entries.removeFirst(surplus) }
        bodyBytes = bytes
    }

    /// Removes some entries.
    ///
    /// - Returns: the removed entries, the newest first.
    mutating func remove(where isUnwanted: (JournalEntry) -> Bool) -> [JournalEntry] {
        var removed: [JournalEntry] = []
        entries.removeAll { entry in
            guard isUnwanted(entry) else { return false }
            removed.append(entry)
            return true
        }
        bodyBytes -= removed.reduce(0) { $0 + $1.keptBytes }
        return removed.reversed()
    }
}

/// A request to the mocks, with its response.
///
/// It contains the original request, so that it can be compared with patterns. Code that shows it uses `JournalRedaction`.
public final class JournalEntry: Sendable {
    /// The entry's id.
    public let id = StubID()
    /// The time at which the response was ready, in milliseconds since 1970.
    public let time: Int64
    /// The time from the last byte of the request to the response.
    public let duration: Duration
    /// The request. Its body is empty if it was too large to keep.
    public let request: MockRequest
    /// The size of the request's body, in bytes.
    public let bodySize: Int
    /// The stub that matched; nil if no stub matched, or none was tried.
    public let stub: Stub?
    /// The response. Its body is empty if it was too large to keep, or is written while it is sent.
    public let response: Response
    /// The requested fault that replaced the stub; nil without one.
    public let fault: Fault?

    init(
        _ request: MockRequest,
        stub: Stub?,
        response: Response,
        fault: Fault? = nil,
        time: Int64,
        now: ContinuousClock.Instant = .now,
        maximumBodyBytes: Int
    ) {
        self.time = time
        duration = request.received.duration(to: now)
        bodySize = request.body.count
        self.request = request.forKeeping(body: request.body.count <= maximumBodyBytes)
        self.stub = stub
        self.fault = fault
        var response = response
        switch response.body {
        case .bytes(let bytes) where bytes.count > maximumBodyBytes: response.body = .empty
        case .file, .stream: response.body = .empty
        case .bytes, .empty, .fault: break
        }
        self.response = response
    }

    /// Whether a stub or a requested fault has responded.
    public var wasMatched: Bool { stub != nil || fault != nil }

    /// The bytes of bodies that it keeps.
    var keptBytes: Int { request.body.count + responseBody.count }

    /// The kept part of the response's body.
    package var responseBody: [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    /// Whether the original request matches a pattern.
    func isMatched(by pattern: RequestPattern, _ budget: inout MatchBudget) -> Bool {
        // Parsed values for the comparison aren't kept.
        pattern.matches(request.forKeeping(body: true), &budget)
    }
}

/// Keeps secrets out of the journal's output: its readers don't need other people's sessions.
package enum JournalRedaction {
    /// The replacement of a secret.
    package static let mark = "(redacted)"

    /// The value of a header field for output: of cookies only their names, of credentials only their scheme.
    package static func shown(_ value: String, of name: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " ") else { return mark }
            return "\(value[..<space]) \(mark)"
        case "cookie":
            return value.split(separator: ";").map { pair($0) }.joined(separator: ";")
        case "set-cookie":
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return pair(value[..<end]) + value[end...]
        default: return value
        }
    }

    /// `name=(redacted)`; a text without an equals sign may be a value, and is hidden completely.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return mark }
        return "\(text[...equals])\(mark)"
    }
}
