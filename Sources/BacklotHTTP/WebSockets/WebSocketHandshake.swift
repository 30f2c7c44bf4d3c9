internal import COpenSSL
internal import HTTPTypes

/// The opening handshake of a WebSocket, over HTTP/1.1 (RFC 6455, section 4.2) or on a stream of HTTP/2 (RFC 8441, section 5).
enum WebSocketHandshake {
    /// A request that opens no WebSocket.
    enum Refusal: HTTPError, Equatable {
        /// The request doesn't ask for a WebSocket.
        case notAsked
        case version
        case key
        case origin(String)
        /// The response isn't a WebSocket.
        case page

        var status: HTTPResponse.Status {
            switch self {
            case .notAsked, .version: .upgradeRequired
            case .key, .page: .badRequest
            case .origin: .forbidden
            }
        }

        var reason: String {
            switch self {
            case .notAsked:
                "this path is a WebSocket: open it with one, over HTTP/1.1 (GET with 'Connection: Upgrade' and 'Upgrade: websocket') or HTTP/2 (CONNECT with ':protocol: websocket'); a proxy before the server must pass these fields on"
            case .version: "Sec-WebSocket-Version must be 13"
            case .key: "Sec-WebSocket-Key must be 16 bytes in base64, once"
            case .origin(let origin):
                "pages of \(origin) may not open this WebSocket: let the server name the origin (WebSocketOptions.origins)"
            case .page: "this path isn't a WebSocket: request it with GET"
            }
        }

        var headers: HTTPFields {
            status == .upgradeRequired ? [.secWebSocketVersion: "13", .upgrade: "websocket"] : [:]
        }
    }

    /// The fields of the response that opens a WebSocket, without `Connection`, and what both sides have agreed on.
    static func accept(
        _ request: Request,
        _ options: WebSocketOptions
    ) throws(Refusal) -> (fields: HTTPFields, subprotocol: String?, compression: WebSocketCompression?) {
        let isStream = request.head.line.isHTTP2
        guard isAsked(request) else { throw .notAsked }
        guard tokens(request, .secWebSocketVersion) == ["13"] else { throw .version }
        let keys = tokens(request, .secWebSocketKey)
        guard isStream || keys.count == 1 && isKey(keys[0]) else { throw .key }
        if let allowed = options.origins, let origin = request.headers[.origin], !request.isFromOwnPage(origin),
            !allowed.contains(where: { $0.lowercased() == origin.lowercased() })
        {
            throw .origin(origin)
        }
        var fields: HTTPFields = [.upgrade: "websocket"]
        // Over HTTP/2 there is no key (RFC 8441, section 5), but Envoy passes its client's on, and wants the proof.
        if let key = keys.first, isKey(key) { fields[.secWebSocketAccept] = accept(key) }
        let offered = tokens(request, .secWebSocketProtocol)
        let subprotocol = options.subprotocols.first(where: offered.contains)
        fields[.secWebSocketProtocol] = subprotocol
        var compression: WebSocketCompression?
        if options.compresses {
            let offers = tokens(request, .secWebSocketExtensions).joined(separator: ",")
            compression = WebSocketCompression(offers: offers)
        }
        fields[.secWebSocketExtensions] = compression?.field
        return (fields, subprotocol, compression)
    }

    /// Whether a request asks for a WebSocket, and its connection could carry one.
    static func isAsked(_ request: Request) -> Bool {
        guard request.body.upgraded != nil else { return false }
        return request.head.line.isHTTP2
            || tokens(request, .connection).contains(where: { $0.lowercased() == "upgrade" })
    }

    /// The elements of a list, over all lines of the field.
    private static func tokens(_ request: Request, _ name: HTTPField.Name) -> [String] {
        request.headers[name]?.split(separator: ",").map { String($0.trimmed) } ?? []
    }

    private static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes[22...].allSatisfy({ $0 == UInt8(ascii: "=") }) else { return false }
        return bytes[..<22].allSatisfy {
            ASCII.isDigit($0) || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2B || $0 == 0x2F
        }
    }

    /// The proof that the server has read the key (RFC 6455, section 4.2.2).
    static func accept(_ key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var hash = [UInt8](repeating: 0, count: 20)
        TLSLibrary.begin()
        unsafe text.withUnsafeBytes { text in
            let isDone = unsafe EVP_Q_digest(nil, "SHA1", nil, text.baseAddress, text.count, &hash, nil) == 1
            precondition(isDone, "OpenSSL has no SHA-1: its configuration (openssl.cnf) leaves it out")
        }
        return base64(hash)
    }

    /// A new key, for a request to another server.
    static func key() -> String { base64((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

    private static func base64(_ bytes: [UInt8]) -> String {
        // The library ends the text with a zero.
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.dropLast(), as: UTF8.self)
    }
}

extension Request {
    /// Whether an `Origin` is that of the server's own pages.
    package func isFromOwnPage(_ origin: String) -> Bool {
        let host = HTTPField.Name("Host").flatMap { headers[$0] } ?? ""
        return origin.lowercased() == "\(scheme)://\(host)".lowercased()
    }
}

extension Request {
    /// Whether the client opens a WebSocket with it.
    package var opensWebSocket: Bool { WebSocketHandshake.isAsked(self) }
}
