public import Backlot

/// What mocks were asked, and what they answered: the last entries, as many as fit into its bounds.
///
/// It is a backend's observer: `configuration.observer = journal`.
public final class Journal: MockObserver {
    private let ring: Locked<JournalRing>
    private let mostBytesOfABody: Int
    private let prefix: String
    private let clock: @Sendable () -> Int64

    /// An empty journal.
    ///
    /// - Parameters:
    ///   - mostEntries: how many entries are kept.
    ///   - mostBodyBytes: how many bytes of bodies are kept in all, of requests and answers.
    ///   - mostBytesOfABody: how large a body may be that is kept.
    ///   - path: what the mocks are mounted at, which begins and ends with a slash.
    ///   - clock: the time now, in milliseconds since 1970; nil for the system's clock.
    public init(
        mostEntries: Int = 1000,
        mostBodyBytes: Int = 16 * 1024 * 1024,
        mostBytesOfABody: Int = 256 * 1024,
        path: String = "/",
        clock: (@Sendable () -> Int64)? = nil
    ) {
        precondition(mostEntries > 0, "a journal has room for at least 1 entry, not for \(mostEntries)")
        ring = Locked(JournalRing(mostEntries: mostEntries, mostBodyBytes: max(0, mostBodyBytes)))
        self.mostBytesOfABody = min(mostBytesOfABody, mostBodyBytes / 2)
        prefix = String(path.dropLast())
        self.clock = clock ?? { TemplateDate.now.milliseconds }
    }

    /// Notes an exchange.
    public func responded(_ exchange: MockExchange) {
        add(exchange.request, exchange.stub, exchange.response, nil)
    }

    /// Notes a request that a fault on demand has answered. Its body was not read.
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
            mostBodyBytes: mostBytesOfABody
        )
        ring.withLock { $0.add(entry) }
    }

    /// The entries, the newest first.
    public var entries: [JournalEntry] { ring.withLock { $0.entries }.reversed() }

    /// The entry with an id; nil once it has been removed.
    public func entry(_ id: StubID) -> JournalEntry? { ring.withLock { $0.entries.first { $0.id == id } } }

    /// The entries whose requests match a pattern, the newest first.
    public func entries(matching pattern: RequestPattern) -> [JournalEntry] {
        var budget = MatchBudget.command
        return entries(matching: pattern, &budget)
    }

    func entries(matching pattern: RequestPattern, _ budget: inout MatchBudget) -> [JournalEntry] {
        entries.filter { $0.isMatched(by: pattern, &budget) }
    }

    /// Removes entries.
    ///
    /// - Returns: those that were removed, the newest first.
    @discardableResult
    public func remove(where isUnwanted: (JournalEntry) -> Bool) -> [JournalEntry] {
        ring.withLock { $0.remove(where: isUnwanted) }
    }

    /// Removes every entry.
    public func removeAll() {
        remove { _ in true }
    }
}

/// The last entries of a journal, as many as fit into its bounds. A value without I/O.
struct JournalRing: Sendable {
    private let mostEntries: Int
    private let mostBodyBytes: Int
    /// The oldest first.
    private(set) var entries: [JournalEntry] = []
    private(set) var bodyBytes = 0

    init(mostEntries: Int, mostBodyBytes: Int) {
        self.mostEntries = mostEntries
        self.mostBodyBytes = mostBodyBytes
    }

    /// Adds an entry. The oldest ones go that have no room any more.
    mutating func add(_ entry: JournalEntry) {
        entries.append(entry)
        bodyBytes += entry.keptBytes
        var surplus = max(0, entries.count - mostEntries)
        var bytes = bodyBytes - entries[..<surplus].reduce(0) { $0 + $1.keptBytes }
        while bytes > mostBodyBytes {
            bytes -= entries[surplus].keptBytes
            surplus += 1
        }
        if surplus > 0 { entries.removeFirst(surplus) }
        bodyBytes = bytes
    }

    /// Removes some entries.
    ///
    /// - Returns: those that were removed, the newest first.
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

/// A request that the mocks got, and how it was answered.
///
/// It holds the request as it came, so that it can be compared with patterns; whatever shows it goes through
/// `JournalRedaction`.
public final class JournalEntry: Sendable {
    /// The entry's id.
    public let id = StubID()
    /// When the answer was ready, in milliseconds since 1970.
    public let time: Int64
    /// How long the answer took, from the last byte of the request.
    public let duration: Duration
    /// The request. Its body is empty where it was too large to be kept.
    public let request: MockRequest
    /// How many bytes the request's body had.
    public let bodySize: Int
    /// The stub that matched; nil when none did, or none was asked.
    public let stub: Stub?
    /// The answer. Its body is empty where it was too large to be kept, or is written while it is sent.
    public let response: Response
    /// The fault on demand that took the stub's place; nil for none.
    public let fault: Fault?

    init(
        _ request: MockRequest,
        stub: Stub?,
        response: Response,
        fault: Fault? = nil,
        time: Int64,
        now: ContinuousClock.Instant = .now,
        mostBodyBytes: Int
    ) {
        self.time = time
        duration = request.received.duration(to: now)
        bodySize = request.body.count
        self.request = request.forKeeping(body: request.body.count <= mostBodyBytes)
        self.stub = stub
        self.fault = fault
        var response = response
        switch response.body {
        case .bytes(let bytes) where bytes.count > mostBodyBytes: response.body = .empty
        case .file, .stream: response.body = .empty
        case .bytes, .empty, .fault: break
        }
        self.response = response
    }

    /// Whether a stub, or a fault on demand, has answered it.
    public var wasMatched: Bool { stub != nil || fault != nil }

    /// How many bytes of bodies it keeps.
    var keptBytes: Int { request.body.count + responseBody.count }

    /// What is kept of the answer's body.
    package var responseBody: [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    /// Whether the request, as it came, is one that a pattern asks for.
    func isMatched(by pattern: RequestPattern, _ budget: inout MatchBudget) -> Bool {
        // What is parsed for it isn't kept.
        pattern.matches(request.forKeeping(body: true), &budget)
    }
}

/// Keeps secrets out of what a journal shows: whoever may look at it needs no other people's sessions.
package enum JournalRedaction {
    /// What stands in the place of a secret.
    package static let mark = "(redacted)"

    /// The value of a header field as it may be shown: of cookies only their names, of credentials only their scheme.
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

    /// `name=(redacted)`; a text without an equals sign may be a value, and is hidden whole.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return mark }
        return "\(text[...equals])\(mark)"
    }
}
