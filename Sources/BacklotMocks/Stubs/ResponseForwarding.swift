package import Backlot
import Logging

/// The target of a forwarded request, and the changes to the request.
struct ResponseForwarding: Sendable {
    /// The keys of a response about it.
    static let keys: [Key] = [
        .optional("proxyBaseUrl", .string, "The backend that responds instead, such as http://127.0.0.1:9000."),
        .optional("proxyUrlPrefixToRemove", .string, "The beginning of the path to remove."),
        .optional("additionalProxyRequestHeaders", .headers, "Header fields for that backend."),
        .optional("removeProxyRequestHeaders", .array(.string), "Header fields that backend doesn't get."),
    ]

    /// The backend; nil if it depends on the request.
    private(set) var proxy: Origin?
    /// The URL, which may have tags.
    private let url: Template
    /// The beginning of the path that is removed.
    private(set) var prefix = ""
    private var added: [StubResponse.Header] = []
    /// The names of removed fields, in the form of `ProxyFields.variable`.
    private var removed: Set<String> = []

    /// - Returns: nil if the request isn't forwarded.
    init?(_ response: LocatedValue, _ tags: TemplateDialect?) throws(StubError) {
        guard let target = response["proxyBaseUrl"] else {
            guard let option = Self.keys.lazy.compactMap({ response[$0.name] }).first else { return nil }
            throw option.keyProblem("it goes with proxyBaseUrl")
        }
        url = try target.template(tags)
        if let constant = url.constant {
            guard let proxy = Origin(constant) else { throw target.problem(Self.refusal(constant)) }
            self.proxy = proxy
        }
        prefix = response.value["proxyUrlPrefixToRemove"]?.string ?? ""
        added = try response.headers("additionalProxyRequestHeaders", tags) { header in
            guard ProxyFields.isHeldBack(header) else { return nil }
            return header.canonicalName == "proxy"
                ? "isn't sent to backends, where programs could take it for their own proxy (CVE-2016-5385); remove it"
                : "is about the connection, and is written by itself"
        }
        let names = response["removeProxyRequestHeaders"]?.each ?? []
        removed = Set(names.compactMap(\.value.string).map(ProxyFields.variable(of:)))
    }

    private static func refusal(_ text: String) -> String {
        "\(JSONValue.string(text).excerpt) can't be requested; write a URL such as http://127.0.0.1:9000"
    }

    /// The backend for one request.
    ///
    /// - Throws: `MessageError` if the tags don't make a valid URL.
    func target(_ context: TemplateContext, limit: Int) throws(MessageError) -> Origin {
        if let proxy { return proxy }
        guard let text = try? url.text(context, limit: limit) else { throw MessageError("the URL is too long") }
        guard let proxy = Origin(text) else { throw MessageError(Self.refusal(text)) }
        return proxy
    }

    /// The path and query for the backend.
    private func url(of request: MockRequest) -> String {
        let url = request.sentURL ?? request.url
        guard !prefix.isEmpty, url.hasPrefix(prefix) else { return url }
        let rest = url.dropFirst(prefix.count)
        return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    }

    /// The forwarded request. A client's field must not pass for one that is removed or added here, even if its name has other
    /// separators.
    func request(_ request: MockRequest, _ context: TemplateContext, limit: Int) -> ProxyRequest {
        let others = removed.union(added.map { ProxyFields.variable(of: $0.name.rawName) })
        return request.goingOn(to: url(of: request), without: others, adding: added.filled(context, limit: limit))
    }
}

extension MockRequest {
    /// The request for forwarding to another backend.
    ///
    /// - Parameters:
    ///   - target: the path and the query; nil for those of the request.
    ///   - names: the fields to leave out, by their names in the form of `ProxyFields.variable`.
    ///   - more: the fields to add.
    package func goingOn(
        to target: String? = nil,
        without names: Set<String> = [],
        adding more: HTTPFields = [:]
    ) -> ProxyRequest {
        var fields = HTTPFields()
        for (name, value) in headers where !names.contains(ProxyFields.variable(of: name)) {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value),
                !ProxyFields.isFalseClaim(name, isBelieved: believesClientFields)
            else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        fields.append(contentsOf: more)
        return ProxyRequest(
            method: method,
            target: target ?? sentURL ?? url,
            headers: headers,
            fields: fields,
            body: body,
            address: remoteAddress,
            scheme: scheme
        )
    }
}

extension MockBackend {
    /// The largest response of another backend that is collected for the journal, in bytes.
    private static let gatheredLength = 256 * 1024

    /// Forwards the request to another backend and returns its response, or 502 or 504 if that fails.
    func forward(
        _ request: MockRequest,
        of original: Request,
        as forwarding: ResponseForwarding,
        _ context: TemplateContext
    ) async
        -> Response
    {
        let origin: Origin
        do throws(MessageError) {
            origin = try forwarding.target(context, limit: configuration.templateLimit)
        } catch {
            logger.warning("\(request.title): \(error)")
            return .text("\(error)\n", status: .badGateway)
        }
        let proxy = ReverseProxy(origin: origin, connector: connector, budget: observationBudget, name: proxyName)
        var call = forwarding.request(request, context, limit: configuration.templateLimit)
        call.passWebSocket(of: original)
        // The journal only shows collected bodies.
        let gathered = configuration.observer == nil ? 0 : Self.gatheredLength
        return await proxy.respond(to: withoutOwnSecrets(call), gatheringUpTo: gathered) {
            [logger, recorder] exchange in
            var exchange = exchange
            // A prefix may have been removed.
            exchange.target = request.url
            recorder?.note(exchange)
            guard let failure = exchange.failure else { return }
            // A query may have secrets.
            logger.warning("\(exchange.method) \(request.path): \(origin) did not answer: \(failure)")
        }
    }

    /// A request to another backend without the secrets for this server's administration and preview.
    package func withoutOwnSecrets(_ request: ProxyRequest) -> ProxyRequest {
        var request = request
        request.changeFields(named: "cookie") { value in
            let pairs = value.split(separator: ";")
            let others = pairs.filter { $0.prefix { $0 != "=" }.trimmed != PreviewToken.cookie }
            guard others.count < pairs.count else { return value }
            return others.isEmpty ? nil : String(others.joined(separator: ";")[...].trimmed)
        }
        let administrators = administrators.withLock { $0 }
        request.changeFields(named: "authorization") { value in
            administrators.contains { $0.isToken(inField: value) } ? nil : value
        }
        return request
    }
}
