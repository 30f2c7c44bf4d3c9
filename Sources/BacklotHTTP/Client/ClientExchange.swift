internal import HTTPTypes

/// A request that a client sends, and its answer. It lives on a loop, and on one connection from its beginning to its end.
final class ClientExchange: CarriedExchange, @unchecked Sendable {
    /// How many bytes of the answer may wait for a reader before the connection stops reading.
    private static let highWater = 64 * 1024

    /// What comes of the attempt.
    enum Outcome {
        case answered(StreamedResponse)
        case failed(ClientFault)
        /// There is no answer, and nothing has been done on a server: the request may be sent again, over a new connection.
        case unused
    }

    let request: OutgoingRequest
    let bounds: ClientBounds
    /// Whether the connection is kept for others.
    let keepsConnection: Bool
    let loop: EventLoop
    /// When it began, in milliseconds of the loop's clock.
    private(set) var began: Int64 = 0
    private let stopwatch = ContinuousClock.now
    private var connection: ClientConnection?
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var isCancelled = false
    private var incoming: IncomingBody?
    private var firstByte: Duration?
    private var wasContinued = false

    // MARK: The request's body

    private(set) var isBodyHeld = false
    /// Whether all of the request has been handed to the connection.
    private(set) var isRequestEnded = false
    private var writtenBody = 0
    private var pump: Task<Void, Never>?
    private var room: CheckedContinuation<Void, any Error>?

    init(_ request: OutgoingRequest, bounds: ClientBounds, keepsConnection: Bool, loop: EventLoop) {
        self.request = request
        self.bounds = bounds
        self.keepsConnection = keepsConnection
        self.loop = loop
    }

    // MARK: The caller's side

    /// Tries to exchange on a connection. May be called on any thread, again where the connection wasn't used.
    ///
    /// - Parameter connect: gives the connection, on the loop; nil where there is none.
    func run(_ connect: @escaping @Sendable () throws(SocketError) -> ClientConnection?) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { self.begin(continuation, connect) }
            }
        } onCancel: {
            loop.execute { self.cancel() }
        }
    }

    private func begin(
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ connect: () throws(SocketError) -> ClientConnection?
    ) {
        guard !isCancelled else { return continuation.resume(returning: .failed(.cancelled)) }
        do throws(SocketError) {
            guard let connection = try connect() else { return continuation.resume(returning: .unused) }
            if began == 0 { began = loop.clock.now }
            self.continuation = continuation
            self.connection = connection
            connection.carry(self)
        } catch {
            continuation.resume(returning: .failed(.notConnected(error)))
        }
    }

    private func cancel() {
        isCancelled = true
        connection?.abort()
    }

    /// Nobody wants the rest of the answer.
    func abandon() {
        connection?.abort()
    }

    // MARK: The connection's side

    /// Whether the head of the answer has been handed on.
    var isAnswered: Bool { continuation == nil }
    /// Whether more of the answer must wait until its reader has caught up.
    var isFull: Bool { (incoming?.waitingCount ?? 0) >= Self.highWater }
    /// How long it has been under way.
    var elapsed: Duration { stopwatch.duration(to: .now) }

    /// The head of the request has been handed to the connection: the body follows.
    func headSent() {
        isBodyHeld = request.waitsForContinue && request.hasBody
        if !isBodyHeld { startBody() }
    }

    /// Lets the body go, which was held back.
    func releaseBody(wasContinued: Bool) {
        if wasContinued { self.wasContinued = true }
        guard isBodyHeld else { return }
        isBodyHeld = false
        startBody()
    }

    func noteFirstByte() {
        if firstByte == nil { firstByte = elapsed }
    }

    /// The head of the answer is there.
    ///
    /// - Parameter isWhole: whether `bytes` are all of the body. The connection is done with the exchange then.
    func answered(
        _ response: (status: HTTPResponse.Status, fields: FieldList),
        _ version: StaticString,
        _ bytes: [UInt8],
        isWhole: Bool
    ) {
        let body: RequestBody
        if isWhole {
            body = RequestBody(.bytes(bytes), limit: .max)
        } else {
            let fields = response.fields
            let length = fields.contains("transfer-encoding") ? nil : fields["content-length"].flatMap { Int($0) }
            let incoming = IncomingBody(declaredLength: length, loop: loop, source: self, server: nil)
            incoming.append(bytes)
            self.incoming = incoming
            body = RequestBody(.incoming(incoming), limit: .max)
        }
        complete(
            .answered(
                StreamedResponse(
                    status: response.status,
                    fields: response.fields,
                    version: version,
                    body: body,
                    wasContinued: wasContinued,
                    firstByte: firstByte ?? elapsed,
                    lease: isWhole ? nil : ExchangeLease(self)
                )
            )
        )
    }

    /// More of the answer's body is there.
    ///
    /// - Parameter isWhole: whether it is the end. The connection is done with the exchange then.
    func bodyCame(_ bytes: [UInt8], isWhole: Bool) {
        if !bytes.isEmpty { incoming?.append(bytes) }
        guard isWhole else { return incoming?.deliver() ?? () }
        incoming?.finish()
        // Each holds the other until then.
        incoming?.detach()
        incoming = nil
    }

    /// There will be no answer, or no more of it.
    func failed(_ fault: ClientFault, isUnused: Bool) {
        if continuation != nil {
            complete(isUnused ? .unused : .failed(fault))
        } else {
            incoming?.fail(fault)
        }
    }

    /// The connection is done with it.
    func detach() {
        connection = nil
        pump?.cancel()
        pump = nil
        if room != nil { roomMade(CancellationError()) }
    }

    private func complete(_ outcome: Outcome) {
        let continuation = continuation
        self.continuation = nil
        continuation?.resume(returning: outcome)
    }

    // MARK: The request's body

    private func startBody() {
        switch request.body {
        case .bytes(let bytes):
            if !bytes.isEmpty { connection?.write(bytes) }
            endBody()
        case .stream(let body):
            pump = Task.immediate(executorPreference: loop) { [self] in
                do {
                    for try await piece in body { try await write(piece) }
                    loop.execute { self.endBody() }
                } catch {
                    let error = error as? RequestError ?? .incomplete
                    loop.execute { self.connection?.fail(.bodyUnavailable(error)) }
                }
            }
        }
    }

    private func write(_ piece: [UInt8]) async throws {
        loop.preconditionIsCurrent()
        guard let connection else { throw CancellationError() }
        writtenBody += piece.count
        // What is more than was declared would be read as another request.
        if let length = request.length, writtenBody > length {
            throw RequestError.malformed("a body beyond its length")
        }
        connection.write(piece)
        // The end may come later than the last byte.
        if writtenBody == request.length { return endBody() }
        connection.send()
        guard self.connection != nil, connection.isOutputFull else { return }
        try await withCheckedThrowingContinuation { room = $0 }
    }

    private func endBody() {
        guard let connection, !isRequestEnded else { return }
        if case .stream = request.body, let length = request.length, writtenBody < length {
            return connection.fail(.bodyUnavailable(.incomplete))
        }
        isRequestEnded = true
        connection.endRequest()
    }

    func roomMade() { roomMade(nil) }

    /// The server has taken what waited, or never will.
    private func roomMade(_ error: (any Error)?) {
        guard let room else { return }
        self.room = nil
        if let error { room.resume(throwing: error) } else { room.resume() }
    }
}

extension ClientExchange: BodySource {
    func bodyWanted(taken: Int) { connection?.bodyTaken(taken) }

    func waitChanged() {}
}

/// Holds an exchange for those who read its answer. Without them, the exchange ends.
final class ExchangeLease: Sendable {
    private let exchange: ClientExchange

    init(_ exchange: ClientExchange) {
        self.exchange = exchange
    }

    deinit {
        let exchange = exchange
        exchange.loop.execute { exchange.abandon() }
    }
}
