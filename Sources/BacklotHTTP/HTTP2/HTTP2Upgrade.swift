internal import HTTPTypes

/// How clients may start HTTP/2. Over TLS they choose it in the handshake (ALPN), unless it is off. Without TLS it is
/// for proxies and clouds that speak HTTP/2 in clear text.
public enum HTTP2Support: Sendable {
    /// Not at all.
    case off
    /// Clients that know that the server speaks HTTP/2 send its preface at once (RFC 9113, section 3.3). All others get
    /// HTTP/1.
    case priorKnowledge
    /// In addition, a request of HTTP/1.1 without a body may ask for it with `Upgrade: h2c` (RFC 7540, section 3.2,
    /// which RFC 9113 has dropped). Only for clients that can't do otherwise: a proxy that passes the field on without
    /// looking lets its clients speak past it.
    case upgrade
}

/// How a connection starts HTTP/2, and sends its frames.
extension Connection {
    /// How often frames are gathered and sent before others get their turn.
    private static let writesPerTurn = 16

    /// Whether bytes that HTTP/1 can't read are the preface of HTTP/2. Only the first bytes of a connection can be it.
    func isPreface(_ error: RequestError, _ bytes: Span<UInt8>) -> Bool {
        // Over TLS, the handshake decides (RFC 9113, section 3.2).
        error == .versionNotSupported && !hasHadRequest && server.configuration.http2 != .off && server.tls == nil
            && HTTP2Preface.begins(bytes)
    }

    /// Speaks HTTP/2 from now on.
    func startHTTP2() {
        phase = .http2
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if isDraining { http2.drain() }
    }

    /// Answers a request over HTTP/2 that came over HTTP/1.1, if it asks for that.
    func upgradeToHTTP2(_ head: RequestHead) -> Bool {
        guard !isDraining, let upgrade = HTTP2Upgrade(head) else { return false }
        let http2 = HTTP2Connection(self)
        guard http2.accept(upgrade, isHead: head.isMethod("HEAD")) else { return false }
        append { $0.append(HTTP2Upgrade.answer) }
        phase = .http2
        self.http2 = http2
        http2.begin(head)
        return true
    }

    /// Reads frames.
    func receiveHTTP2(_ bytes: Span<UInt8>) {
        isProcessing = true
        http2?.receive(bytes)
        isProcessing = false
        finishRound()
    }

    /// Sends frames as long as there are any and the system takes them.
    func flushHTTP2() {
        guard let http2 else { return }
        var writes = 0
        while sendOutput(), http2.wantsToWrite {
            guard writes < Self.writesPerTurn else {
                flushAfterRound()
                break
            }
            writes += 1
            append { http2.write(into: &$0) }
            if output.isEmpty { break }
        }
        http2.relieve()
        http2.publishHeld()
        if inputEnded, isOpen, output.isEmpty, !http2.wantsToWrite { http2.resetBlocked() }
        if isOpen, http2.isOver { linger() }
    }
}

/// A request of HTTP/1.1 for HTTP/2 (RFC 7540, section 3.2).
struct HTTP2Upgrade: Equatable {
    /// The answer before the first frame.
    static let answer: StaticString = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

    /// The payload of the client's SETTINGS frame.
    let settings: [UInt8]

    /// nil when the request doesn't ask for HTTP/2, asks in a wrong way, or has a body. The answer is HTTP/1.1 then.
    init?(_ head: RequestHead) {
        guard head.framing == .none, !head.line.isHTTP10 else { return nil }
        let headers = RequestHeaders(head: head)
        guard let name = HTTPField.Name("HTTP2-Settings"), Self.list(headers[.upgrade]).contains("h2c") else {
            return nil
        }
        let options = Self.list(headers[.connection])
        let values = headers[values: name]
        guard options.contains("upgrade"), options.contains("http2-settings"), values.count == 1,
            let settings = Base64URL.decode(values[0])
        else { return nil }
        self.settings = settings
    }

    private static func list(_ value: String?) -> [String] {
        (value ?? "").split(separator: ",").map { element in
            let trimmed = element.drop { $0 == " " || $0 == "\t" }
            return String(trimmed.prefix { $0 != " " && $0 != "\t" }).lowercased()
        }
    }
}

/// The bytes that a client of HTTP/2 sends first (RFC 9113, section 3.4).
enum HTTP2Preface {
    /// Their first line. It looks like a request line so that servers of HTTP/1 refuse it at once; nothing else begins
    /// so.
    private static let line: StaticString = "PRI * HTTP/2.0\r\n"

    /// How many bytes there are.
    static let length = 24

    /// Whether `bytes` begin with the preface's first line.
    static func begins(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= line.utf8CodeUnitCount && bytes.equals(0..<line.utf8CodeUnitCount, line)
    }
}

/// Bytes as letters, digits, `-` and `_`, without padding (RFC 4648, section 5).
enum Base64URL {
    /// The bytes of a text; nil when it isn't base64url.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        // Six bits left over are a character too many; others that are left over must be zeros.
        guard bitCount < 6, bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
