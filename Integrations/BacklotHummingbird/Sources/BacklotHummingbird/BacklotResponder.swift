public import Backlot
internal import HTTPTypes
public import Hummingbird
public import Logging
internal import NIOCore

/// Answers Hummingbird's requests by a Backlot router: pages, sessions, preview, and bodies that stream both ways.
///
/// ```swift
/// let router = Hummingbird.Router(context: ClientRequestContext.self)
/// router.get("/api/time") { _, _ in "noon" }
/// router.add(middleware: try BacklotResponder(backlot, below: "/clinic", "/__preview", logger: logger))
/// ```
/// As a middleware it answers the requests below its paths. As the responder of a Hummingbird application it answers all.
///
/// Give a `LocalAccess`, such as that of preview, the host that Hummingbird listens on. Trusted proxies and limits per client need
/// the client's address: use a context that has it, such as ``ClientRequestContext``.
public struct BacklotResponder<Context: RequestContext>: HTTPResponder, RouterMiddleware {
    private let hosted: HostedHandler
    private let paths: [String]

    /// Prepares the routes that a router has now.
    ///
    /// - Parameters:
    ///   - router: what answers.
    ///   - paths: the paths whose requests it answers as a middleware, each with all below it; `/` for all.
    ///   - configuration: the limits for heads and bodies, and the trusted proxies.
    ///   - logger: where the errors of handlers are logged.
    /// - Throws: what makes it pointless to serve.
    public init(
        _ router: Backlot.Router,
        below paths: String...,
        configuration: Backlot.ServerConfiguration = .init(),
        logger: Logger
    ) throws {
        hosted = try HostedHandler(router, configuration: configuration, logger: logger)
        for path in paths {
            precondition(path.hasPrefix("/"), "a path to mount at begins with a slash, but '\(path)' doesn't")
        }
        self.paths = paths.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// Answers a request.
    public func respond(to request: Hummingbird.Request, context: Context) async throws -> Hummingbird.Response {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let response = await hosted.respond(
            to: request.head,
            body: Backlot.RequestBody(Pieces(body: request.body), declaredLength: length),
            from: (context as? any RemoteAddressRequestContext)?.remoteAddress.flatMap(Self.address)
        )
        return Hummingbird.Response(
            status: response.status,
            headers: response.headers,
            body: Self.body(response.body)
        )
    }

    /// Answers a request below the paths, and hands others on.
    public func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: (Hummingbird.Request, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        let path = request.uri.path
        let isBelow = paths.contains { path == $0 || path.hasPrefix($0) && path.dropFirst($0.count).first == "/" }
        return isBelow ? try await respond(to: request, context: context) : try await next(request, context)
    }

    private static func address(_ address: NIOCore.SocketAddress) -> Backlot.SocketAddress? {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        return Backlot.SocketAddress(host: host, port: UInt16(clamping: port))
    }

    private static func body(_ body: Backlot.ResponseBody) -> Hummingbird.ResponseBody {
        switch body {
        case .empty: Hummingbird.ResponseBody()
        case .bytes(let bytes): Hummingbird.ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        default:
            Hummingbird.ResponseBody(contentLength: body.length) { writer in
                let held = HeldWriter(writer)
                try await body.write { try await held.write($0) }
                try await held.finish()
            }
        }
    }
}

/// Hummingbird's writer, which a body writes to from one task at a time, whatever task that is.
private final class HeldWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    func write(_ bytes: [UInt8]) async throws {
        try await writer.write(ByteBuffer(bytes: bytes))
    }

    func finish() async throws {
        try await writer.finish(nil)
    }
}

/// The pieces of a body, as Backlot reads them.
private struct Pieces: AsyncSequence, Sendable {
    let body: Hummingbird.RequestBody

    func makeAsyncIterator() -> Iterator { Iterator(body: body.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var body: Hummingbird.RequestBody.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            try await body.next().map { Array($0.readableBytesView) }
        }
    }
}
