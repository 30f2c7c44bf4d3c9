import Backlot
import BacklotClients
import Floki

/// A webhook that tells another program about breaking news. That program sends the messages that phones show.
///
/// It tries a few times, with longer and longer breaks. A server that got the request may still fail to respond. So each request has
/// an `Idempotency-Key`, so that the server can drop repeated requests.
struct BreakingHook: Sendable {
    /// A response that isn't a success.
    struct HookError: Error, CustomStringConvertible {
        let status: Int
        let text: String

        var description: String { "its response was \(status)\(text.isEmpty ? "" : ": \(text.excerpt(upTo: 200))")" }

        /// Whether another attempt may help (RFC 9110, section 15.5.9, RFC 6585, section 4).
        var mayPass: Bool { status == 408 || status == 429 || status >= 500 }
    }

    let url: HTTPURL
    var transport: any ClientTransport = SocketTransport()
    /// The breaks between attempts.
    var breaks: [Duration] = [.seconds(1), .seconds(5), .seconds(25)]
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    private static var limits: ClientLimits {
        var limits = ClientLimits()
        limits.body = 64 * 1024
        limits.idle = .seconds(5)
        limits.total = .seconds(10)
        return limits
    }

    /// Sends breaking news.
    ///
    /// - Throws: the error of the last attempt.
    func send(_ news: BreakingNews<Item>) async throws {
        var request = ClientRequest(.post, url, headers: [.contentType: "application/json"], body: Self.payload(news))
        if let key = HTTPField.Name("Idempotency-Key") {
            request.headers[key] = "\"\(Self.key(news))\""
        }
        for pause in breaks {
            do {
                return try await attempt(request)
            } catch let refusal as HookError where !refusal.mayPass {
                throw refusal
            } catch {
                try await sleep(pause)
            }
        }
        try await attempt(request)
    }

    private func attempt(_ request: ClientRequest) async throws {
        let response = try await transport.response(to: request, limits: Self.limits)
        guard response.status.kind == .successful else {
            throw HookError(status: response.status.code, text: response.text)
        }
    }

    /// A key that identifies a call. It depends on more than ids, since other stores have stories with the same ids, and so has a
    /// store in memory after a restart.
    static func key(_ news: BreakingNews<Item>) -> String {
        var bytes = payload(news)
        for (language, item) in entries(of: news) {
            let end = item.expirationDate.map { Int($0.timeIntervalSince1970) } ?? 0
            bytes += "\(language) \(item.revision) \(end) ".utf8
        }
        let hash = SessionHash(hashing: String(decoding: bytes, as: UTF8.self))
        return "breaking-\(news.feed)-\(news.id)-\("\(hash)".prefix(16))"
    }

    /// The story in its languages, in the order of their codes.
    private static func entries(of news: BreakingNews<Item>) -> [(key: String, value: Item)] {
        news.entries.sorted { $0.key < $1.key }
    }

    /// The body of the request, such as
    ///
    ///     {"event":"breaking","feed":"news","id":7,"titles":{"en":"…","es":"…"},"texts":{"en":"…","es":"…"},"url":"https://…"}
    static func payload(_ news: BreakingNews<Item>) -> [UInt8] {
        func texts(_ path: KeyPath<Item, String>) -> JSONValue {
            .object(entries(of: news).reduce(into: JSONObject()) { $0[$1.key] = .string($1.value[keyPath: path]) })
        }
        let url = entries(of: news).lazy.compactMap(\.value.shareURL).first
        var payload = JSONObject()
        payload["event"] = "breaking"
        payload["feed"] = .string(news.feed)
        payload["id"] = .number(JSONNumber(Int64(news.id)))
        payload["titles"] = texts(\.title)
        payload["texts"] = texts(\.body)
        payload["url"] = url.map { .string($0) } ?? .null
        return JSONValue.object(payload).bytes
    }
}
