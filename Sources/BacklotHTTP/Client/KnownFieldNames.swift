internal import HTTPTypes

/// Names of fields that most answers have. To make one of its bytes takes a thousand instructions.
enum KnownFieldNames {
    /// By their length.
    private static let names: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var names = [[(bytes: [UInt8], name: HTTPField.Name)]](repeating: [], count: 32)
        for text in [
            "Accept-Ranges", "Access-Control-Allow-Origin", "Age", "Cache-Control", "Connection", "Content-Disposition",
            "Content-Encoding", "Content-Language", "Content-Length", "Content-Security-Policy", "Content-Type", "Date",
            "ETag",
            "Expires", "Keep-Alive", "Last-Modified", "Link", "Location", "Server", "Set-Cookie",
            "Strict-Transport-Security",
            "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate", "X-Content-Type-Options", "X-Frame-Options",
            "X-Powered-By", "X-Request-Id",
        ] {
            for text in [text, text.lowercased()] {
                guard let name = HTTPField.Name(text) else { continue }
                names[text.utf8.count].append((Array(text.utf8), name))
            }
        }
        return names
    }()

    /// The name in a range; nil where it is none.
    static func name(_ range: Range<Int>, _ bytes: Span<UInt8>) -> HTTPField.Name? {
        if range.count < names.count {
            for known in names[range.count] where bytes.holds(known.bytes, at: range.lowerBound) { return known.name }
        }
        return HTTPField.Name(bytes.string(range))
    }
}

extension Span where Element == UInt8 {
    /// Whether some bytes stand at a place.
    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        for index in bytes.indices where self[start + index] != bytes[index] { return false }
        return true
    }
}
