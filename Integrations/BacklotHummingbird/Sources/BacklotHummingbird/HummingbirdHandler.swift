public import Backlot
internal import HTTPTypes
public import Hummingbird
public import Logging
internal import NIOCore
internal import NIOEmbedded

/// Answers Backlot's requests by a responder of Hummingbird, such as what its router builds: as the handler of a server, or as the
/// fallback of a router.
///
/// ```swift
/// let router = Backlot.Router()
/// router.add(HummingbirdHandler(hummingbird.buildResponder(), logger: logger))      // what no route of Backlot answers
/// ```
/// As a fallback it leaves requests that Hummingbird answers with 404 to the next one.
public struct HummingbirdHandler<Responder: HTTPResponder>: Handler, Fallback where Responder.Context: RequestContext {
    private static var hostField: HTTPField.Name? { HTTPField.Name("Host") }

    private let responder: Responder
    private let context: @Sendable (Backlot.Request) -> Responder.Context

    /// A handler whose contexts are made by a function.
    ///
    /// - Parameter context: makes the context of a request.
    public init(_ responder: Responder, context: @escaping @Sendable (Backlot.Request) -> Responder.Context) {
        self.responder = responder
        self.context = context
    }

    /// A handler whose contexts are made as Hummingbird makes them, but that they have no connection: they know of no remote
    /// address.
    public init(_ responder: Responder, logger: Logger)
    where Responder.Context.Source == ApplicationRequestContextSource {
        let channel = NIOAsyncTestingChannel()
        self.init(responder) { request in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .string(request.id)
            return Responder.Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        }
    }

    /// Answers a request.
    public func respond(to request: Backlot.Request) throws -> HandlerResult {
        .pending {
            let (own, context) = (Self.request(request), context(request))
            return Self.response(try await Self.ask(own, context, responder))
        }
    }

    /// Answers a request, unless Hummingbird has nothing for it.
    public func respond(to request: Backlot.Request) throws -> Ready<Backlot.Response?> {
        .pending {
            let (own, context) = (Self.request(request), context(request))
            let response = try await Self.ask(own, context, responder)
            return response.status == .notFound ? nil : Self.response(response)
        }
    }

    private static func ask(
        _ request: Hummingbird.Request,
        _ context: Responder.Context,
        _ responder: Responder
    ) async throws -> Hummingbird.Response {
        do {
            return try await responder.respond(to: request, context: context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
    }

    private static func request(_ request: Backlot.Request) -> Hummingbird.Request {
        var fields = HTTPFields()
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(name), name != hostField else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return Hummingbird.Request(
            head: HTTPRequest(
                method: request.method,
                scheme: request.scheme,
                authority: hostField.flatMap { request.headers[$0] },
                path: request.target,
                headerFields: fields
            ),
            body: Hummingbird.RequestBody(asyncSequence: request.body.map { ByteBuffer(bytes: $0) })
        )
    }

    private static func response(_ response: Hummingbird.Response) -> Backlot.Response {
        let body = response.body
        return Backlot.Response(
            status: response.status,
            headers: response.headers,
            body: body.contentLength == 0
                ? .empty : .stream(length: body.contentLength) { try await body.write(Writer(writer: $0)) }
        )
    }

    private struct Writer: ResponseBodyWriter {
        let writer: BodyWriter

        mutating func write(_ buffer: ByteBuffer) async throws {
            try await writer.write(Array(buffer.readableBytesView))
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
