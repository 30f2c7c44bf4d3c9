/// The body of a request, which may still be arriving: a sequence of pieces that can be read once.
///
/// If a client waits with `Expect: 100-continue`, it gets the 100 when the handler first reads the body. So a handler can refuse
/// a body before the client sends it.
public struct RequestBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]

    enum Source: Sendable {
        case bytes([UInt8])
        case incoming(IncomingBody)
        /// Empty, until a response of 101 makes a body of all that the client sends from then on.
        case upgradable(IncomingBody)
        case inflated(InflatedBody)
        case hosted(HostedBody)
        /// Its content coding isn't understood: it is not read.
        case refused(Refusal)
    }

    /// The reason why a body isn't read. A class, so that other bodies need no room for it.
    final class Refusal: Sendable {
        let error: any HTTPError

        init(_ error: any HTTPError) {
            self.error = error
        }
    }

    private let source: Source
    private var reading = RareProperties<Reading>()
    /// The most bytes to read. Reading more throws `RequestError.bodyTooLarge`, which results in a 413.
    public var limit: Int

    init(_ source: Source, limit: Int) {
        self.source = source
        self.limit = limit
    }

    /// The steps to take while a body is read. Most bodies need none.
    fileprivate struct Reading: Sendable {
        var opening: Opening?
        var tap: (@Sendable ([UInt8]?) -> Void)?
        var pace: (@Sendable (Int) async throws -> Void)?
    }

    private mutating func changeReading(_ change: (inout Reading) -> Void) {
        var reading = reading.value ?? Reading()
        change(&reading)
        self.reading.value = reading
    }

    /// A check of the first bytes of a body.
    fileprivate struct Opening: Sendable {
        let count: Int
        let check: @Sendable ([UInt8]) throws -> Void
    }

    /// The same body, with a check of its first bytes before a reader gets any.
    ///
    /// - Parameters:
    ///   - count: the number of bytes to check; a shorter body is checked as a whole.
    ///   - check: throws the error that the reader should get instead of the body.
    package func checkingFirst(_ count: Int, _ check: @escaping @Sendable ([UInt8]) throws -> Void) -> RequestBody {
        var body = self
        body.changeReading { $0.opening = Opening(count: count, check: check) }
        return body
    }

    /// Creates a complete body, for requests made in process.
    public init(_ bytes: [UInt8] = [], limit: Int = .max) {
        self.init(.bytes(bytes), limit: limit)
    }

    /// Creates a body that another server reads, for a `HostedHandler`.
    ///
    /// - Parameters:
    ///   - pieces: its bytes, in pieces of any size. Their errors are thrown to the reader.
    ///   - declaredLength: the number of bytes according to the client; nil if unknown.
    public init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, declaredLength: Int?)
    where Pieces.Element == [UInt8] {
        self.init(.hosted(HostedBody(pieces, declaredLength: declaredLength)), limit: .max)
    }

    /// This body with another limit, for a route that accepts more, or less, than the server's default.
    public func limited(to limit: Int) -> RequestBody {
        var body = self
        body.limit = limit
        return body
    }

    /// The body's length in bytes as declared by the client: nil for a chunked body, and for one that is being decompressed.
    public var declaredLength: Int? {
        switch source {
        case .bytes(let bytes): bytes.count
        case .incoming(let body): body.declaredLength
        case .hosted(let body): body.declaredLength
        case .upgradable: 0
        case .inflated, .refused: nil
        }
    }

    /// The bytes that the client sends after a response of 101; nil if it can't change protocols.
    var upgraded: RequestBody? {
        if case .upgradable(let body) = source { RequestBody(.incoming(body), limit: .max) } else { nil }
    }

    /// Whether the client has yet to send some of the body. Asked on the event loop of its connection.
    package var isArriving: Bool {
        switch source {
        case .bytes, .hosted, .refused, .upgradable: false
        case .incoming(let body): body.isArriving
        case .inflated(let body): body.encoded.isArriving
        }
    }

    /// The whole body if it is complete; nil while it is arriving.
    var bytes: [UInt8]? {
        if case .bytes(let bytes) = source, pace == nil { bytes } else { nil }
    }

    /// The original body and head, if the body's content codings are removed while it is read.
    var encoded: (body: RequestBody, head: RequestHead)? {
        if case .inflated(let body) = source { (body.encoded, body.head) } else { nil }
    }

    /// Called with each piece that a reader gets, and with nil at the end.
    var tap: (@Sendable ([UInt8]?) -> Void)? {
        get { reading.value?.tap }
        set { changeReading { $0.tap = newValue } }
    }

    /// Waits before a reader gets a piece with that number of bytes; nil for a body without a pace.
    package var pace: (@Sendable (Int) async throws -> Void)? {
        get { reading.value?.pace }
        set { changeReading { $0.pace = newValue } }
    }

    /// The error that reading the body throws at once; nil for a body that can be read.
    package var refusal: (any HTTPError)? {
        if case .refused(let refusal) = source { refusal.error } else { nil }
    }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: the most bytes to accept; nil for the body's own limit.
    /// - Throws: `RequestError`, when the body is too large, malformed, late or cut short, or the server has no memory left for
    ///   it. Don't catch it: it becomes the right response.
    public func collect(upTo limit: Int? = nil) async throws -> [UInt8] {
        let limit = limit ?? self.limit
        if let declaredLength, declaredLength > limit { throw RequestError.bodyTooLarge(limit: limit) }
        if reading.value?.opening == nil, pace == nil {
            switch source {
            case .bytes(let bytes): return bytes
            case .upgradable: return []
            case .incoming(let body): return try await body.collect(upTo: limit)
            case .inflated, .hosted: break
            case .refused(let refusal): throw refusal.error
            }
        }
        var collected: [UInt8] = []
        try await collect(upTo: limit, into: &collected)
        return collected
    }

    private func collect(upTo limit: Int, into collected: inout [UInt8]) async throws {
        // The source counts the bytes that wait; those that it has given away are counted here.
        let hold = hold
        for try await piece in limited(to: limit) {
            hold?.add(piece.count)
            if hold?.isOverdrawn ?? false { throw RequestError.overloaded }
            collected.reserve(more: piece.count, of: declaredLength)
            collected += piece
        }
    }

    /// Reads the body to its end, or as far as possible.
    ///
    /// - Parameter limit: the most bytes to accept.
    /// - Returns: the bytes; with an error, only the first of them, possibly none.
    package func collectReadable(upTo limit: Int) async -> (bytes: [UInt8], error: (any Error)?) {
        var beginning: [UInt8] = []
        do {
            if case .inflated = source {
                try await collect(upTo: limit, into: &beginning)
                return (beginning, nil)
            }
            return (try await collect(upTo: limit), nil)
        } catch RequestError.bodyTooLarge(let limit) where beginning.isEmpty {
            var pieces = RequestBody(source, limit: .max).makeAsyncIterator()
            beginning = (try? await pieces.next()) ?? []
            return (Array(beginning.prefix(limit)), RequestError.bodyTooLarge(limit: limit))
        } catch {
            return (beginning, error)
        }
    }

    /// The share of the memory budget for a body that comes from a connection.
    var hold: BufferShare? {
        switch source {
        case .bytes, .hosted, .refused, .upgradable: nil
        case .incoming(let body): body.hold
        case .inflated(let body): body.hold
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source, limit: limit, reading: reading.value)
    }

    /// Reads a body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var source: Source
        private let limit: Int
        private var count = 0
        private var opening: Opening?
        private let tap: (@Sendable ([UInt8]?) -> Void)?
        private let pace: (@Sendable (Int) async throws -> Void)?

        fileprivate init(source: Source, limit: Int, reading: Reading?) {
            self.source = source
            self.limit = limit
            opening = reading?.opening
            tap = reading?.tap
            pace = reading?.pace
        }

        /// The next piece, never empty; nil at the end.
        ///
        /// - Throws: `RequestError`, as `collect` does.
        public mutating func next() async throws -> [UInt8]? {
            guard let opening else { return try await nextPiece() }
            self.opening = nil
            var first: [UInt8] = []
            while first.count < opening.count, let piece = try await nextPiece() { first += piece }
            try opening.check(Array(first.prefix(opening.count)))
            return first.isEmpty ? nil : first
        }

        private mutating func nextPiece() async throws -> [UInt8]? {
            let piece: [UInt8]?
            switch source {
            case .bytes(let bytes):
                piece = bytes.isEmpty ? nil : bytes
                source = .bytes([])
            case .upgradable: piece = nil
            case .incoming(let body):
                if let length = body.declaredLength, length > limit { throw RequestError.bodyTooLarge(limit: limit) }
                piece = try await body.next()
            case .inflated(let body): piece = try await body.next(limit: limit)
            case .hosted(let body):
                if let length = body.declaredLength, length > limit { throw RequestError.bodyTooLarge(limit: limit) }
                piece = try await body.next()
            case .refused(let refusal): throw refusal.error
            }
            count += piece?.count ?? 0
            guard count <= limit else { throw RequestError.bodyTooLarge(limit: limit) }
            if let pace, let piece { try await pace(piece.count) }
            tap?(piece)
            return piece
        }
    }
}
