import Backlot

/// Where clients reach an app: the beginning of every URL that it sends.
public enum AppAddress: Sendable, Equatable {
    /// Under the name in the request's `Host`, by http. For development: behind a proxy, or where answers are kept for several
    /// clients, name the address.
    case ofRequest
    /// At this address, such as `https://example.com`, without the path that the app is mounted at.
    case fixed(String)

    /// What is wrong with it; nil where nothing is.
    var problem: String? {
        guard case .fixed(let url) = self else { return nil }
        let isRight =
            (url.hasPrefix("http://") || url.hasPrefix("https://")) && !url.hasSuffix("/")
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\?#".utf8.contains($0) }
        return isRight ? nil : "the address '\(url)' must begin with http:// or https:// and have no slash at its end"
    }

    /// The address for a request, with the path of the app.
    ///
    /// - Throws: `StatusError` with 400 where the request names no host that can stand in a URL.
    func base(for request: Request, mount: String) throws -> String {
        switch self {
        case .fixed(let url): return url + mount
        case .ofRequest:
            guard let name = HTTPField.Name("Host"), let host = request.headers[name], Self.isHost(host) else {
                throw StatusError(.badRequest, "the Host must be a name or an address, and perhaps a port")
            }
            return "http://\(host)\(mount)"
        }
    }

    /// Whether a text can be the host of a URL, and stand in JSON as it is.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._:[]".utf8.contains(byte)
            }
    }
}
