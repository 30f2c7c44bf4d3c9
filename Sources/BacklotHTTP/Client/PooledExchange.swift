internal import HTTPTypes

/// A client's request and its response. It stays on one loop, and on one connection from its beginning to its end.
final class PooledExchange: @unchecked Sendable {
    /// The number of bytes of the response that may wait for a reader before the connection stops reading.
    private static let highWater = 64 * 1024

    /// The outcome of the attempt: nil if the server hasn't processed anything, so that the request may be repeated over a new connection.
    typealias Outcome = Result<StreamedResponse?, ClientConnectionError>

    let request: OutgoingRequest
    let bounds: ClientBounds
    /// Whether the connection is kept for other exchanges.
    let keepsConnection: Bool
    let loop: EventLoop
    /// Limits the bytes that wait for the rest of their bodies, if responses are delivered whole; nil if they are read while they arrive.
    private let gathering: BufferBudget?

    /// The start of the exchange, in milliseconds of the loop's clock.
    private(set) var began: Int64 = 0
    /// The start of the exchange; nil if nobody reads the response while it arrives.
    private let stopwatch: ContinuousClock.Instant?
    private var connection: ClientConnection?
    private var complete: ((Outcome) -> Void)?
    private var isCancelled = false
    /// Whether the head of the response has arrived.
    private(set) var hasResponse = false
    /// The response that is being collected, and its body so far.
    private var gathered: (response: StreamedResponse, body: [UInt8])?
    private var incoming: IncomingBody?
    private var firstByte: Duration?
    private var wasContinued = false

    // MARK: The request's body

    /// Whether the body waits until the server asks for it.
    private(set) var isBodyHeld = false
    /// Whether the connection has the whole request.
    private(set) var isRequestEnded = false
    private var writtenBody = 0
    private var pump: Task<Void, Never>?
    private var room: CheckedContinuation<Void, any Error>?

    init(
        _ request: OutgoingRequest,
        bounds: ClientBounds,
        keepsConnection: Bool,
        gathering: BufferBudget? = nil,
        loop: EventLoop
    ) {
        self.request = request
        self.bounds = bounds
        self.keepsConnection = keepsConnection
        self.gathering = gathering
        stopwatch = gathering == nil ? .now : nil
        self.loop = loop
    }

    // MARK: The caller's side

    /// Tries to exchange on a connection. May be called on any thread, and again if the connection wasn't used.
    ///
    /// - Parameter connect: provides the connection, on the loop; nil without one.
    func run(_ connect: @escaping @Sendable () throws(SocketError) -> ClientConnection?) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { self.begin(connect) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            loop.execute { self.cancel() }
        }
    }

    private func begin(
        _ connect: () throws(SocketError) -> ClientConnection?,
        _ complete: @escaping (Outcome) -> Void
    ) {
        guard !isCancelled else { return complete(.failure(.cancelled)) }
        do throws(SocketError) {
            guard let connection = try connect() else { return complete(.success(nil)) }
            go(over: connection, complete)
        } catch {
            complete(.failure(.notConnected(error)))
        }
    }

    /// Exchanges over a connection. Must be called on the loop.
    ///
    /// - Parameter complete: called once, on the loop.
    func go(over connection: ClientConnection, _ complete: @escaping (Outcome) -> Void) {
        if began == 0 { began = loop.clock.now }
        isRequestEnded = false
        self.complete = complete
        self.connection = connection
        connection.carry(self)
    }

    private func cancel() {
        isCancelled = true
        connection?.abort()
    }

    /// Nobody needs the rest of the response.
    func abandon() {
        connection?.abort()
    }

    // MARK: The connection's side

    /// Whether the rest of the response must wait until its reader has caught up.
    var isFull: Bool { (incoming?.waitingCount ?? 0) >= Self.highWater }

    /// The connection has the head of the request: the body follows.
    func headSent() {
        isBodyHeld = request.opensWebSocket || request.waitsForContinue && request.hasBody
        if !isBodyHeld { startBody() }
    }

    /// Sends the body that was held back.
    func releaseBody(wasContinued: Bool) {
        if wasContinued { self.wasContinued = true }
        guard isBodyHeld, !request.opensWebSocket || hasResponse else { return }
        isBodyHeld = false
        startBody()
    }

    func noteFirstByte() {
        if firstByte == nil { firstByte = stopwatch?.duration(to: .now) }
    }

    /// The head of the response has arrived.
    ///
    /// - Parameter isWhole: whether `bytes` are the complete body. The connection has then finished the exchange.
    func responded(
        _ response: (status: HTTPResponse.Status, fields: FieldList),
        _ version: StaticString,
        _ bytes: [UInt8],
        isWhole: Bool
    ) {
        hasResponse = true
        var result = StreamedResponse(
            status: response.status,
            fields: response.fields,
            version: version,
            body: RequestBody(.bytes(isWhole ? bytes : []), limit: .max),
            wasContinued: wasContinued,
            firstByte: firstByte ?? .zero
        )
        if !isWhole {
            if let gathering {
                gathered = (result, [])
                return gather(bytes, isWhole: false, gathering)
            }
            let fields = response.fields
            let length = fields.contains("transfer-encoding") ? nil : fields["content-length"].flatMap { Int($0) }
            let incoming = IncomingBody(declaredLength: length, loop: loop, source: self, server: nil)
            incoming.append(bytes)
            self.incoming = incoming
            result.body = RequestBody(.incoming(incoming), limit: .max)
            result.lease = Ticket { [self] in loop.execute { self.abandon() } }
        }
        end(.success(result))
        // Before this, the server would read the bytes as another request.
        if request.opensWebSocket, response.status.code == 101 { releaseBody(wasContinued: false) }
    }

    /// More of the response's body has arrived.
    ///
    /// - Parameter isWhole: whether these bytes are the last. The connection has then finished the exchange.
    func bodyCame(_ bytes: [UInt8], isWhole: Bool) {
        if let gathering { return gather(bytes, isWhole: isWhole, gathering) }
        if !bytes.isEmpty { incoming?.append(bytes) }
        guard isWhole else { return incoming?.deliver() ?? () }
        incoming?.finish()
        // The two hold each other until then.
        incoming?.detach()
        incoming = nil
    }

    private func gather(_ bytes: [UInt8], isWhole: Bool, _ budget: BufferBudget) {
        if isWhole {
            guard var (response, body) = takeGathered() else { return }
            body += bytes
            response.body = RequestBody(body)
            end(.success(response))
        } else if budget.takeIfFree(bytes.count) {
            gathered?.body += bytes
            connection?.bodyTaken(bytes.count)
        } else {
            connection?.fail(.bodyTooLarge(limit: budget.limit))
        }
    }

    private func takeGathered() -> (response: StreamedResponse, body: [UInt8])? {
        guard let gathered else { return nil }
        gathering?.take(-gathered.body.count)
        self.gathered = nil
        return gathered
    }

    /// The response, or the rest of it, will never come.
    ///
    /// - Parameter isUnused: whether the request may be repeated over a new connection.
    func failed(_ fault: ClientConnectionError, isUnused: Bool) {
        _ = takeGathered()
        incoming?.fail(fault)
        end(isUnused ? .success(nil) : .failure(fault))
    }

    /// The connection has finished the exchange.
    func detach() {
        connection = nil
        pump?.cancel()
        pump = nil
        if room != nil { roomMade(CancellationError()) }
    }

    private func end(_ outcome: Outcome) {
        let complete = complete
        self.complete = nil
        complete?(outcome)
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
        // The server would read the bytes beyond the declared length as another request.
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

    /// The server has accepted the waiting bytes, or never will.
    private func roomMade(_ error: (any Error)?) {
        guard let room else { return }
        self.room = nil
        if let error { room.resume(throwing: error) } else { room.resume() }
    }
}

extension PooledExchange: BodySource {
    func bodyWanted(taken: Int) { connection?.bodyTaken(taken) }

    func waitChanged() {}
}
