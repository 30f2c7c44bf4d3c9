import Backlot
import Logging

/// A request that a stub sends after its response.
struct Webhook: Sendable {
    static let kinds = [
        Kind("listener", as: [.hook], "The actions after the response.", keys: hookKeys),
        Kind("webhook", as: [.webhook], "A request that is sent after the response.", keys: webhookKeys),
    ]
    private static let webhookKeys: [Key] = [
        .optional("method", .string, "The method.", default: "GET"),
        .required("url", .string, "The address, which begins with http:// or https:// and may have tags."),
        .optional("headers", .headers, "The header fields."),
        .optional("body", .scalar, "The body, which may have tags."),
        .optional("base64Body", .base64, "The body in base64."),
        .optional("delay", .object(.distribution), "The delay after the response."),
        .optional("extraParameters", .any, "Values for tags."),
    ]
    private static let hookKeys: [Key] = [
        .required("name", .names(["webhook": "An HTTP request."]), "The kind of action."),
        .required("parameters", .object(.webhook), "The request."),
        // It is always sent after the response: in any other phase it would be too early, or sent twice.
        .optional("requestPhases", .array(.words(["AFTER_COMPLETE"])), "When it is sent."),
    ]
    /// The keys of stubs for actions after the response.
    static let keys: [Key] = [
        .optional("serveEventListeners", .objects(.hook), "Requests that are sent after the response."),
        .optional("postServeActions", .objects(.hook), "Requests sent after the response, under a former name."),
    ]

    private let method: Template
    let url: Template
    private let headers: [StubResponse.Header]
    private let body: StubBody
    let delay: ResponseDelay

    /// Reads the webhooks of a stub.
    static func list(_ stub: LocatedValue) throws(StubError) -> [Webhook] {
        var hooks: [Webhook] = []
        for listener in keys.flatMap({ stub[$0.name]?.each ?? [] }) {
            if let parameters = listener["parameters"] { hooks.append(try Webhook(parameters)) }
        }
        return hooks
    }

    private init(_ parameters: LocatedValue) throws(StubError) {
        let method = parameters["method"] ?? LocatedValue("GET")
        self.method = try method.template(.wireMock)
        if let text = self.method.constant, HTTPRequest.Method(text.uppercased()) == nil {
            throw method.problem("'\(text)' isn't a method; write one such as POST")
        }
        let url = parameters["url"] ?? parameters
        self.url = try url.template(.wireMock)
        if let text = self.url.constant, WebhookTarget(text) == nil {
            throw url.problem("\(text.shown) can't be called; write a URL such as http://127.0.0.1:9000/called")
        }
        headers = try parameters.headers("headers", .wireMock)
        if let bytes = parameters.value["base64Body"]?.string.flatMap(Base64.decode) {
            body = .bytes(bytes)
        } else if let text = parameters["body"] {
            body = try text.body(try text.text(), isJSON: headers.holdJSON, tags: .wireMock)
        } else {
            body = .none
        }
        delay = try ResponseDelay(fixed: nil, drawn: parameters["delay"])
    }

    /// The request for one exchange.
    ///
    /// - Throws: `MessageError`.
    func call(_ context: TemplateContext, limit: Int) throws(MessageError) -> (WebhookTarget, OutgoingRequest) {
        guard let text = try? url.text(context, limit: limit), let target = WebhookTarget(text),
            let name = try? method.text(context, limit: limit), let method = HTTPRequest.Method(name.uppercased())
        else { throw MessageError("its method or URL can't be used") }
        let bytes: [UInt8]
        switch body {
        case .bytes(let body): bytes = body
        case .template(let template):
            guard let filled = try? template.bytes(context, limit: limit) else {
                throw MessageError("its body is too large")
            }
            bytes = filled
        case .none, .file: bytes = []
        }
        let request = OutgoingRequest(
            method: method,
            target: target.path,
            authority: target.server.authority,
            headers: headers.filled(context, limit: limit),
            body: bytes,
            waitsForContinue: false
        )
        return (target, request)
    }
}

/// The target of a webhook: a URL with a query.
struct WebhookTarget: Sendable {
    /// The server.
    let server: Origin
    /// The path and the query.
    let path: String

    /// nil for an invalid URL.
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

    /// The URL for the log, without its query, which may have secrets.
    var shownURL: String { "\(server)\(path.prefix { $0 != "?" })" }
}

/// An address that webhooks may call.
public struct WebhookAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host's name or address, in lower case.
    public let host: String
    /// The port; nil for any.
    public let port: UInt16?

    private static let inAddress = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_:[]".utf8)

    /// Reads `callbacks.example.com`, `127.0.0.1:9000` or `[::1]:9000`. nil for other texts.
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

extension MockBackend {
    /// The most webhooks that run at once.
    private static let mostWebhooks = 64
    /// The waits before the second and the third attempt of a webhook.
    private static let webhookPauses: [Duration] = [.milliseconds(500), .seconds(2)]
    private static let webhookBounds = ClientBounds(
        head: 64 * 1024,
        body: 1024 * 1024,
        idle: .seconds(10),
        total: .seconds(30)
    )

    /// Sends the webhooks of a stub after its response, without waiting for them.
    func sendWebhooks(of stub: Stub, _ context: TemplateContext) {
        for hook in stub.webhooks {
            let isRoom = webhooks.withLock { count in
                guard count < Self.mostWebhooks else { return false }
                count += 1
                return true
            }
            guard isRoom else {
                logger.warning("\(stub.source): a webhook was not sent: \(Self.mostWebhooks) are under way already")
                continue
            }
            Task.detached { [self] in
                defer { webhooks.withLock { $0 -= 1 } }
                await send(hook, of: stub, context)
            }
        }
    }

    private func send(_ hook: Webhook, of stub: Stub, _ context: TemplateContext) async {
        let milliseconds = sources.draw { hook.delay.milliseconds(using: &$0) }
        do throws(MessageError) {
            let (target, request) = try hook.call(context, limit: configuration.templateLimit)
            guard configuration.allowedWebhooks.contains(where: { $0.admits(target) }) else {
                logger.warning(
                    "\(stub.source): the webhook to \(target.shownURL) was not sent: name its address, as in --allow-webhooks \(target.server.authority)"
                )
                return
            }
            if milliseconds > 0, (try? await Task.sleep(for: .milliseconds(milliseconds))) == nil { return }
            await send(request, to: target, stub)
        } catch {
            logger.warning("\(stub.source): a webhook was not sent: \(error)")
        }
    }

    /// Tries again if an address can't be reached, so that the request can't have been sent. Any other outcome ends the attempts.
    private func send(_ request: OutgoingRequest, to target: WebhookTarget, _ stub: Stub) async {
        for pause in [.zero] + Self.webhookPauses {
            if pause > .zero, (try? await Task.sleep(for: pause)) == nil { return }
            do throws(ClientConnectionError) {
                let response = try await ClientLoop.exchange(
                    request,
                    host: target.server.host,
                    port: target.server.port,
                    over: target.server.isSecure ? connector : nil,
                    bounds: Self.webhookBounds
                )
                logger.info("\(stub.source): the webhook to \(target.shownURL): \(response.status)")
                return
            } catch {
                logger.warning("\(stub.source): the webhook to \(target.shownURL) failed: \(error)")
                switch error {
                case .unknownHost, .notConnected, .unreachable, .notSecured: continue
                default: return
                }
            }
        }
    }

    /// The warnings about the webhooks of a file's stubs.
    func webhookWarnings(in stubs: [Stub], of file: String) -> [MockFileError] {
        stubs.flatMap { stub in
            webhookWarnings(stub).map { MockFileError(file, TextPosition(line: stub.source.line), $0.text) }
        }
    }

    /// Warnings about webhooks with constant addresses that may not be called.
    func webhookWarnings(_ stub: Stub) -> [StubError] {
        stub.webhooks.enumerated().compactMap { index, hook in
            guard let target = hook.url.constant.flatMap({ WebhookTarget($0) }),
                !configuration.allowedWebhooks.contains(where: { $0.admits(target) })
            else { return nil }
            return StubError(
                "the webhook to \(target.server) will not be sent: name its address, as in --allow-webhooks \(target.server.authority)",
                at: [.key("serveEventListeners"), .index(index)]
            )
        }
    }
}
