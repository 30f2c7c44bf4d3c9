internal import BacklotHTTP
internal import Tracing

/// The span of a request, by OpenTelemetry's semantic conventions for HTTP servers.
struct RequestSpan {
    private let span: any Span

    init(_ tracer: any Tracer, _ request: Request) {
        var context = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &context, using: RequestHeadersExtractor())
        span = tracer.startAnySpan(request.method.rawValue, context: context, ofKind: .server)
        span.attributes["http.request.method"] = request.method.rawValue
        span.attributes["url.path"] = request.path
        span.attributes["client.address"] = request.remoteAddress.host
    }

    /// What the handler runs in.
    var context: ServiceContext { span.context }

    func end(_ outcome: RequestOutcome, _ error: (any Error)?) {
        span.operationName = "\(outcome.boundedMethod) \(outcome.route)"
        span.attributes["http.route"] = outcome.route
        span.attributes["http.response.status_code"] = outcome.status
        span.attributes["request.id"] = outcome.id.text
        if let error { span.recordError(error) }
        if outcome.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

/// How a tracer finds what the client says of its span.
private struct RequestHeadersExtractor: Extractor {
    func extract(key: String, from headers: RequestHeaders) -> String? {
        headers.first { $0.name.lowercased() == key.lowercased() }?.value
    }
}
