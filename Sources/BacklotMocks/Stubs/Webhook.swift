import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// A request that a stub sends on its own after it has answered.
struct Webhook: Sendable {
    static let keys = ["method", "url", "headers", "body", "base64Body", "delay", "extraParameters"]

    private let method: Template
    let url: Template
    private let headers: [StubAnswer.Header]
    private let body: AnswerBody
    let delay: AnswerDelay

    /// Reads a list under `serveEventListeners` or `postServeActions`. Of WireMock's listeners, `webhook` is known.
    static func list(_ field: Field, _ reading: inout StubReading) throws(StubProblem) -> [Webhook] {
        var hooks: [Webhook] = []
        for key in ["serveEventListeners", "postServeActions"] {
            for element in try field[key]?.elements() ?? [] {
                try reading.check(element, knows: ["name", "parameters", "requestPhases"])
                guard let name = element["name"] else {
                    throw element.problem("the key 'name' is missing: \"webhook\"")
                }
                _ = try name.word(of: ["webhook"])
                for phase in try element["requestPhases"]?.elements() ?? [] {
                    // A webhook goes out after the answer, whatever the phase: any other would go out too early or twice.
                    _ = try phase.word(of: ["AFTER_COMPLETE"])
                }
                guard let parameters = element["parameters"] else {
                    throw element.problem(
                        "the key 'parameters' is missing: {\"method\": \"POST\", \"url\": \"http://…\"}"
                    )
                }
                hooks.append(try Webhook(parameters, &reading))
            }
        }
        return hooks
    }

    private init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: Self.keys)
        let method = field["method"]
        self.method = try method?.template(try method?.string() ?? "GET", .handlebars) ?? Template(constant: "GET")
        if let text = self.method.constant, let method, HTTPRequest.Method(text.uppercased()) == nil {
            throw method.problem("'\(text)' is no method; write one such as POST")
        }
        guard let url = field["url"] else {
            throw field.problem("the key 'url' is missing: \"http://127.0.0.1:9000/called\"")
        }
        self.url = try url.template(try url.string(), .handlebars)
        if let text = self.url.constant, WebhookTarget(text) == nil {
            throw url.problem("\(text.shown) can't be called; write a URL such as http://127.0.0.1:9000/called")
        }
        var headers: [StubAnswer.Header] = []
        for (key, member) in try field["headers"]?.members() ?? [] {
            guard let name = HTTPField.Name(key) else {
                throw StubProblem("'\(key)' can't be the name of a header field", at: member.path, isAboutKey: true)
            }
            for value in member.value.array == nil ? [member] : try member.elements() {
                headers.append(.init(name: name, value: try value.template(try value.text(), .handlebars)))
            }
        }
        self.headers = headers
        if let encoded = field["base64Body"] {
            guard let bytes = Base64.decode(try encoded.string()) else { throw encoded.problem("it is no base64") }
            body = .bytes(bytes)
        } else if let text = field["body"] {
            body = try text.body(try text.text(), isJSON: headers.holdJSON, tags: .handlebars)
        } else {
            body = .none
        }
        delay =
            try field["delay"].map { delay throws(StubProblem) in try AnswerDelay(webhook: delay, &reading) } ?? .none
    }

    /// The request for one exchange.
    ///
    /// - Throws: `UnusableURL`.
    func call(_ context: TemplateContext, limit: Int) throws(UnusableURL) -> (WebhookTarget, OutgoingRequest) {
        guard let text = try? url.text(context, limit: limit), let target = WebhookTarget(text),
            let name = try? method.text(context, limit: limit), let method = HTTPRequest.Method(name.uppercased())
        else { throw UnusableURL(text: "its method or URL can't be used") }
        var fields = HTTPFields()
        for header in headers {
            guard let text = try? header.value.text(context, limit: limit), HTTPField.isValidValue(text) else {
                continue
            }
            fields.append(HTTPField(name: header.name, value: text))
        }
        let bytes: [UInt8]
        switch body {
        case .bytes(let body): bytes = body
        case .template(let template):
            guard let filled = try? template.bytes(context, limit: limit) else {
                throw UnusableURL(text: "its body is too large")
            }
            bytes = filled
        case .none, .file: bytes = []
        }
        let request = OutgoingRequest(
            method: method,
            target: target.path,
            authority: target.server.authority,
            headers: fields,
            body: bytes,
            waitsForContinue: false
        )
        return (target, request)
    }
}

extension [StubAnswer.Header] {
    /// Whether they say that the body is JSON.
    var holdJSON: Bool {
        contains { $0.name == .contentType && $0.value.constant?.contains("json") == true }
    }
}

/// What a webhook calls: a URL with a query.
struct WebhookTarget: Sendable {
    /// The server.
    let server: Origin
    /// The path and the query.
    let path: String

    /// nil for what can't be called.
    init?(_ url: String) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        guard let server = Origin(String(url[..<end])), !url.contains(where: { $0.isWhitespace }) else {
            return nil
        }
        let base = String(url[..<end])
        self.server = server
        let query = url[end...].prefix { $0 != "#" }
        let slashes = base.dropFirst(server.isSecure ? 8 : 7)
        let start = slashes.firstIndex(of: "/") ?? slashes.endIndex
        path = (start == slashes.endIndex ? "/" : String(slashes[start...])) + query
    }

    /// The URL.
    var url: String { "\(server)\(path)" }
}

/// An address that webhooks may call.
public struct WebhookAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host's name or address, in lower case.
    public let host: String
    /// The port; nil for any.
    public let port: UInt16?

    private static let inAddress = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_:[]".utf8)

    /// Reads `callbacks.example.com`, `127.0.0.1:9000` or `[::1]:9000`. nil for anything else.
    public init?(_ text: String) {
        guard let proxy = Origin("http://\(text)"), proxy.basePath.isEmpty,
            text.utf8.allSatisfy({ Self.inAddress.contains($0) })
        else { return nil }
        host = proxy.host.lowercased()
        let end = text[(text.lastIndex(of: "]") ?? text.startIndex)...]
        port = end.contains(":") ? proxy.port : nil
    }

    /// `127.0.0.1:9000`
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    func admits(_ target: WebhookTarget) -> Bool {
        host == target.server.host.lowercased() && (port == nil || port == target.server.port)
    }
}
