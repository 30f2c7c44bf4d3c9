internal import Tracing

/// The span of a request, by OpenTelemetry's semantic conventions for HTTP servers
/// (https://opentelemetry.io/docs/specs/semconv/http/http-spans/).
///
/// What comes after `?` is left out, as it is in the log.
struct RequestSpan {
    /// The longest name of a client's program that is told, in characters.
    private static let longestAgent = 200

    private let span: any Span

    init(_ tracer: any Tracer, _ request: Request) {
        var context = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &context, using: RequestHeadersExtractor())
        span = tracer.startAnySpan(request.method.rawValue, context: context, ofKind: .server)
        guard span.isRecording else { return }
        // All at once: each assignment to a span's attributes copies them.
        var attributes: SpanAttributes = [
            "url.path": .string(request.path),
            "url.scheme": .string(request.scheme),
            "client.address": .string(request.clientAddress(trusting: []).host),
            "network.peer.address": .string(request.remoteAddress.host),
            "network.peer.port": .int64(Int64(request.remoteAddress.port)),
            "network.protocol.version": .string(request.headers.version.description),
        ]
        if let agent = request.headers[.userAgent] {
            attributes["user_agent.original"] = String(agent.prefix(Self.longestAgent))
        }
        span.attributes = attributes
    }

    /// What the handler runs in.
    var context: ServiceContext { span.context }

    func end(_ outcome: RequestOutcome, _ error: (any Error)?) {
        defer { span.end() }
        guard span.isRecording else { return }
        let isKnown = outcome.boundedMethod == outcome.method
        let method = isKnown ? outcome.method : "HTTP"
        span.operationName = outcome.knownRoute.map { "\(method) \($0)" } ?? method
        // The handler may have added some.
        var attributes = span.attributes
        attributes["http.request.method"] = isKnown ? outcome.method : "_OTHER"
        if !isKnown { attributes["http.request.method_original"] = outcome.method }
        attributes["http.response.status_code"] = outcome.status
        attributes["request.id"] = outcome.id.text
        if let route = outcome.knownRoute { attributes["http.route"] = route }
        if let error { attributes["error.type"] = String(reflecting: type(of: error)) }
        if outcome.status >= 500 {
            if error == nil { attributes["error.type"] = String(outcome.status) }
            span.setStatus(SpanStatus(code: .error))
        }
        span.attributes = attributes
        if let error { span.recordError(error) }
    }
}

/// How a tracer finds what the client says of its span. Fields of one name are joined, so that a tracer can tell that one which
/// must stand alone doesn't.
private struct RequestHeadersExtractor: Extractor {
    func extract(key: String, from headers: RequestHeaders) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}
