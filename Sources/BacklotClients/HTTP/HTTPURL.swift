package import Backlot

/// An HTTP URL: `https://example.com:8443/travel/hotels?page=2`.
///
/// It has no user name and no fragment. Path and query are percent-encoded.
///
/// Source: RFC 3986 (Uniform Resource Identifier), RFC 9110, section 4.2.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// The scheme of a URL.
    public enum Scheme: String, Sendable {
        /// Over plain TCP.
        case http
        /// Over TLS.
        case https

        /// The scheme's default port, 80 or 443.
        public var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host in lower case: a name or an address, an IPv6 address without its brackets.
    public let host: String
    /// The port, explicit or the scheme's default.
    public let port: UInt16
    /// The path; it begins with a slash, and has no `.` and `..` segments.
    public let path: String
    /// The text after the question mark; nil without a question mark.
    public let query: String?

    /// Reads an absolute URL. It percent-encodes bytes that a URL can't contain, such as blanks in the path, and drops a
    /// fragment.
    ///
    /// - Throws: `ClientError.invalidURL` with the reason.
    public init(_ text: String) throws(ClientError) {
        guard let (name, rest) = text.atScheme, let scheme = Scheme(rawValue: name.lowercased()) else {
            throw .invalidURL(text, problem: "it doesn't begin with http:// or https://")
        }
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = try Authority(rest[..<end], of: text)
        self.init(
            scheme: scheme,
            host: authority.host,
            port: authority.port ?? scheme.defaultPort,
            pathAndQuery: String(rest[end...])
        )
    }

    private init(scheme: Scheme, host: String, port: UInt16, pathAndQuery: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        let reference = Reference(pathAndQuery)
        path = Reference.withoutDots(reference.path.isEmpty ? "/" : reference.path)
        query = reference.query
    }

    /// Resolves a reference against this URL, such as the value of a `Location` field (RFC 3986, section 5.2).
    ///
    /// - Throws: `ClientError.invalidURL`.
    public func resolving(_ reference: String) throws(ClientError) -> HTTPURL {
        let before = reference.prefix { !"/?#".contains($0) }
        if before.contains(":") { return try HTTPURL(reference) }
        if reference.hasPrefix("//") { return try HTTPURL("\(scheme.rawValue):\(reference)") }
        let parts = Reference(reference)
        let merged: String
        if parts.path.isEmpty {
            merged = path + (parts.query ?? query).map { "?\($0)" }.orEmpty
        } else {
            let folder = parts.path.hasPrefix("/") ? "" : path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            merged = folder + parts.path + parts.query.map { "?\($0)" }.orEmpty
        }
        return HTTPURL(scheme: scheme, host: host, port: port, pathAndQuery: merged)
    }

    /// The path and the query, in the form of a request's target.
    public var target: String { path + query.map { "?\($0)" }.orEmpty }

    /// The host, with the port unless it is the scheme's default: the value of `Host`.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// Whether both have the same scheme, host and port.
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The URL as text.
    public var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}

/// The part of a URL between `//` and the path.
private struct Authority {
    let host: String
    let port: UInt16?

    init(_ text: Substring, of url: String) throws(ClientError) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else { throw .invalidURL(url, problem: "it has a user name") }
        // An IPv6 address contains colons too.
        let searched = text.lastIndex(of: "]").map { text[$0...] } ?? text
        let colon = searched.lastIndex(of: ":")
        var host = text[..<(colon ?? text.endIndex)].lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.mayStandInHost) else {
            throw .invalidURL(url, problem: "its host is '\(host)'")
        }
        self.host = host
        guard let colon, case let digits = text[text.index(after: colon)...], !digits.isEmpty else {
            port = nil
            return
        }
        guard let port = UInt16(digits), port > 0 else { throw .invalidURL(url, problem: "its port is '\(digits)'") }
        self.port = port
    }

    private static func mayStandInHost(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"/?#@[]<>\"\\^`{|}%".utf8.contains(byte)
    }
}

/// A path and a query, without the fragment, percent-encoded if necessary.
private struct Reference {
    let path: String
    let query: String?

    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let question = text.firstIndex(of: "?") ?? text.endIndex
        path = Self.encoded(text[..<question])
        query = question < text.endIndex ? Self.encoded(text[text.index(after: question)...]) : nil
    }

    private static func encoded(_ text: Substring) -> String {
        // pchar, slash and question mark (RFC 3986, sections 3.3 and 3.4).
        PercentEncoding.completed(text, keeping: "-._~!$&'()*+,;=:@/?")
    }

    /// Removes dot segments (RFC 3986, section 5.2.4).
    static func withoutDots(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}

extension PercentEncoding {
    /// Percent-encodes all characters except ASCII letters, digits and `others`. Existing escapes stay.
    package static func completed(_ text: Substring, keeping others: String) -> String {
        var parts = text.split(separator: "%", omittingEmptySubsequences: false)[...]
        let first = encode(parts.removeFirst(), keeping: others)
        return parts.reduce(into: first) { result, part in
            let digits = part.utf8.prefix(2)
            result += digits.count == 2 && digits.allSatisfy(\.isHex) ? "%" : "%25"
            result += encode(part, keeping: others)
        }
    }
}

/// The base URL of an app, against which the client resolves the paths on pages. No path can leave it.
package struct BaseURL: Sendable {
    /// The maximum length of a path, in bytes; servers reject longer ones.
    package static let longestPath = 8000

    /// A path that a client can't follow.
    package struct ResolutionError: Error, Equatable {
        /// The reason, as a continuation of the word "which".
        package let reason: String
        /// Whether the rules of pages report the path too.
        package var isReported = false

        package init(reason: String, isReported: Bool = false) {
            self.reason = reason
            self.isReported = isReported
        }
    }

    package let url: HTTPURL

    /// - Throws: `ClientError.invalidURL` for a path that doesn't end in a slash.
    package init(_ url: HTTPURL) throws(ClientError) {
        guard url.path.hasSuffix("/"), url.query == nil else {
            throw .invalidURL("\(url)", problem: "a base URL ends in a slash, as in http://127.0.0.1:8080/travel/")
        }
        self.url = url
    }

    /// Creates a base URL from a URL that is known to end in a slash.
    package init(known url: HTTPURL) { self.url = url }

    /// The URL that clients request for the page `target`: page `/x` under `/travel/` is `/travel/x`. They remove one leading
    /// slash and resolve the rest as a reference (RFC 3986, section 4.2). To check that the result is below the base, they
    /// compare without the base's last slash: `/travels/x` counts as inside of `/travel/`.
    package func resolve(_ target: String) throws(ResolutionError) -> HTTPURL {
        guard target.utf8.count <= Self.longestPath else {
            throw ResolutionError(reason: "has more than \(Self.longestPath) bytes")
        }
        let relative = target.hasPrefix("/") ? String(target.dropFirst()) : target
        if target.hasPrefix("/"), relative.prefix(while: { !"/?#".contains($0) }).contains(":") {
            throw ResolutionError(reason: "has a colon, so clients read a scheme before it", isReported: true)
        }
        let resolved: HTTPURL
        do throws(ClientError) {
            resolved = try relative.isEmpty ? url : url.resolving(relative)
        } catch {
            throw ResolutionError(reason: "isn't a URL that clients can request")
        }
        guard resolved.hasSameOrigin(as: url), resolved.path.hasPrefix(url.path.dropLast()) else {
            throw ResolutionError(reason: "is outside the app's base URL")
        }
        return resolved
    }
}
