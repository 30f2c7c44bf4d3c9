public import Backlot
public import BacklotHTTP

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
