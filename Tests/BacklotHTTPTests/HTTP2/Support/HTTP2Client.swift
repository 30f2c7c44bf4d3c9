import BacklotHTTP
import TestSupport

/// A client of HTTP/2 that sends what it is told, frame by frame, and answers nothing by itself.
actor HTTP2Client {
    /// An answer as it was read off the frames.
    struct Response: Equatable, Sendable {
        var status: Int
        /// Of all header lists but the trailers, `:status` left out.
        var fields: [String: String]
        var body: [UInt8]
        /// The statuses of the answers before it.
        var interim: [Int]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    enum Failure: Error, CustomStringConvertible {
        /// The stream was reset, or the connection ended.
        case noResponse(Frame?)

        var description: String {
            switch self {
            case .noResponse(let frame): frame.map { "\($0) instead of an answer" } ?? "the end instead of an answer"
            }
        }
    }

    let raw: RawClient
    private var bytes: [UInt8] = []
    private var decoder = HPACKDecoder()
    /// The header lists that have come, by stream, oldest first: they must be read in the order of their frames.
    private var lists: [UInt32: [[(name: String, value: String)]]] = [:]
    /// Frames that have come and were not asked for yet.
    private var pending: [Frame] = []
    /// How the server ended the connection, once nothing more comes.
    private(set) var end: ConnectionEnd?

    private init(_ raw: RawClient) {
        self.raw = raw
    }

    /// Connects, and sends the preface and SETTINGS.
    static func connect(
        to address: SocketAddress,
        timeout: Duration = .seconds(10),
        receiveBuffer: Int32? = nil,
        settings: [(UInt16, UInt32)]? = [],
        tls: ClientTLSSettings? = nil
    ) async throws -> HTTP2Client {
        let client = HTTP2Client(
            try await RawClient.connect(to: address, timeout: timeout, receiveBuffer: receiveBuffer, tls: tls)
        )
        if let settings { try await client.raw.send(Frame.preface + Frame.settings(settings).bytes()) }
        return client
    }

    func send(_ frames: Frame...) async throws {
        try await send(frames)
    }

    func send(_ frames: [Frame]) async throws {
        try await raw.send(frames.flatMap { $0.bytes() })
    }

    func close() async {
        await raw.close()
    }

    // MARK: Frames

    /// The next frame; nil at the end.
    func next() async throws -> Frame? {
        if !pending.isEmpty { return pending.removeFirst() }
        return try await read()
    }

    private func read() async throws -> Frame? {
        while true {
            if let frame = Frame.take(from: &bytes) {
                if frame.kind == .headers {
                    lists[frame.stream, default: []].append(try decoder.decode(frame.payload))
                }
                return frame
            }
            guard end == nil else { return nil }
            let piece = try await raw.receivePiece()
            if piece.isEmpty { end = try await raw.receiveToEnd().end }
            bytes += piece
        }
    }

    /// The next frame that `isWanted`; those before it are kept for later. nil at the end.
    func first(where isWanted: @Sendable (Frame) -> Bool) async throws -> Frame? {
        if let index = pending.firstIndex(where: isWanted) { return pending.remove(at: index) }
        while let frame = try await read() {
            if isWanted(frame) { return frame }
            pending.append(frame)
        }
        return nil
    }

    /// The next frame of a kind; those before it are kept for later.
    func first(_ kind: Frame.Kind) async throws -> Frame? {
        try await first { $0.kind == kind }
    }

    /// Whether a frame has come that nobody has asked for yet.
    func hasPending(_ isWanted: @Sendable (Frame) -> Bool) -> Bool { pending.contains(where: isWanted) }

    func hasPending(_ kind: Frame.Kind) -> Bool { hasPending { $0.kind == kind } }

    /// Everything until the server closes.
    func receiveToEnd() async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await next() { frames.append(frame) }
        return frames
    }

    /// Sends a PING and returns once it is answered: everything sent before has been read then.
    func roundTrip() async throws {
        try await send(.ping("roundtrp"))
        let response = Frame.ping("roundtrp", acknowledges: true)
        guard try await first(where: { $0 == response }) != nil else { throw Failure.noResponse(nil) }
    }

    // MARK: Answers

    /// Reads the answer on a stream. Frames of other streams are kept for later.
    func response(on stream: UInt32 = 1) async throws -> Response {
        var response = Response(status: 0, fields: [:], body: [], interim: [])
        while true {
            guard let frame = try await first(where: { $0.stream == stream || $0.kind == .goAway }) else {
                throw Failure.noResponse(nil)
            }
            switch frame.kind {
            case .headers: readList(of: stream, into: &response)
            case .data: response.body += frame.payload
            case .windowUpdate: break
            case .goAway where frame.errorCode == 0: break
            default: throw Failure.noResponse(frame)
            }
            if frame.endsStream { return response }
        }
    }

    /// The fields of the first header list on a stream.
    func headerList(on stream: UInt32 = 1) async throws -> [String] {
        _ = try await first { $0.kind == .headers && $0.stream == stream }
        return lists[stream]?.first?.map { "\($0.name): \($0.value)" } ?? []
    }

    /// The status of the first header list on a stream that has been read and not asked for.
    func status(on stream: UInt32) -> Int {
        lists[stream]?.first?.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0
    }

    private func readList(of stream: UInt32, into response: inout Response) {
        guard let list = lists[stream]?.removeFirst() else { return }
        for (name, value) in list {
            if name != ":status" {
                response.fields[name] = value
            } else if let status = Int(value), status < 200 {
                response.interim.append(status)
            } else {
                response.status = Int(value) ?? 0
            }
        }
    }

    /// Sends a request and reads the answer.
    func exchange(
        _ stream: UInt32 = 1,
        _ fields: [(String, String)] = Frame.get(),
        body: [UInt8] = []
    ) async throws
        -> Response
    {
        try await send(.headers(stream, fields, endStream: body.isEmpty))
        if !body.isEmpty { try await send(.data(stream, body)) }
        return try await response(on: stream)
    }
}
