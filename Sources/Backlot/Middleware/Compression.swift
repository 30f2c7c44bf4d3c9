/// Compresses responses for clients that accept it (RFC 9110, section 12.5.3): `router.use(Compression())`. Put it before other
/// middleware, so that it sees their changes to a response.
///
/// The codings are gzip and deflate. A response stays uncompressed if its type doesn't compress well, if it is smaller than
/// `minimumSize` or larger than `maximumSize`, if it is a part (206), or if its `Cache-Control` has `no-transform`.
///
/// Set `no-transform` for a response that holds a secret of the user beside text from the request. Its size reveals the secret bit
/// by bit to an attacker who chooses the text and sees the encrypted traffic (the BREACH attack).
///
/// A strong `ETag` becomes weak, because the bytes differ from the original ones. `If-None-Match` works with weak tags too;
/// `If-Match` and `If-Range` don't.
///
/// A streamed body without a length still arrives piece by piece. Pieces of less than some hundred bytes compress badly.
///
/// ```swift
/// router.use(Compression())
/// ```
public struct Compression: Middleware {
    /// The types of responses that are compressed by default.
    public static let types = [
        "text/*", "*+json", "*+xml", "application/json", "application/vnd.applin_response", "application/x-ndjson",
        "application/javascript", "application/xml", "application/yaml", "application/wasm", "application/toml",
        "application/x-www-form-urlencoded", "application/rtf", "application/sql", "application/graphql",
        "application/vnd.ms-fontobject", "font/otf", "font/ttf", "image/bmp", "image/vnd.microsoft.icon",
    ]

    private static let vary = HTTPField(name: .vary, value: "Accept-Encoding")

    private let sizes: ClosedRange<Int>
    private let types: MediaTypeSet
    private let encoder: ContentEncoder

    /// Compression of responses.
    ///
    /// - Parameters:
    ///   - minimumSize: the smallest body to compress, in bytes. A smaller one fits into one packet with its head, so compression
    ///     gains no time. It would cost several times as much as the rest of the response.
    ///   - maximumSize: the largest body to compress, in bytes, if its size is known in advance. Larger ones cost too much
    ///     processor time.
    ///   - level: from 1 (fast) to 9 (small). For a page of 20 KB, in instructions, 3 costs a tenth more than 1 and makes it 3 %
    ///     smaller. 6, zlib's default, costs 60 % more than 3 for another 4 %.
    ///   - streams: the maximum number of bodies that are compressed piece by piece at a time, over all clients. Each needs 256 KB
    ///     until it ends. Further ones are sent uncompressed.
    ///   - types: the media types to compress: `image/bmp`, `text/*` for a whole type, or `*+json` for all types with a suffix. The
    ///     default is `Compression.types`.
    public init(
        minimumSize: Int = 1200,
        maximumSize: Int = 8 * 1024 * 1024,
        level: Int = 3,
        streams: Int = 64,
        types: [String] = Compression.types
    ) {
        precondition(minimumSize >= 0, "minimumSize must be at least 0, but is \(minimumSize)")
        precondition(
            maximumSize >= minimumSize,
            "maximumSize must be at least minimumSize, \(minimumSize), but is \(maximumSize)"
        )
        precondition((1...9).contains(level), "level must be 1 to 9, but is \(level)")
        precondition(streams >= 0, "streams must be at least 0, but is \(streams)")
        sizes = minimumSize...maximumSize
        self.types = MediaTypeSet(types)
        encoder = ContentEncoder(level: level, streams: streams)
    }

    /// Passes the request on, and compresses the response.
    ///
    /// - Throws: the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let result = try next.respond(to: request)
        // Most ready responses are small, and `map` would need memory for its closure.
        if case .ready(let response) = result, !mayDependOnCoding(response, request) { return result }
        return try result.map { compress($0, for: request) }
    }

    private func compress(_ response: Response, for request: Request) -> Response {
        // Checks the size first, because small responses then need no look at their fields.
        guard mayDependOnCoding(response, request) else { return response }
        let fields = CompressionFields((response.unmodified ?? response).headers, types: types)
        guard fields.mayBeCompressed(isNotModified: response.status == .notModified) else { return response }
        var response = response
        // Caches must see the field in the uncompressed response too.
        response.headers.addVary(Self.vary)
        let coding = request.headers[.acceptEncoding].flatMap { AcceptEncoding($0).preferred }
        if response.status == .notModified {
            if response.unmodified == nil {
                response.headers.matchEntityTag(of: request.headers[.ifNoneMatch])
            } else if coding != nil {
                response.headers.weakenEntityTag()
            }
        } else if response.status != .partialContent, let coding, let body = encoder.encode(response.body, coding) {
            response.body = body
            response.headers[.contentEncoding] = coding.rawValue
            // Clients can't request ranges of the compressed bytes.
            response.headers[.acceptRanges] = nil
            response.headers.weakenEntityTag()
        }
        return response
    }

    /// Whether the status and size permit different bytes for clients that accept a coding and for others.
    private func mayDependOnCoding(_ response: Response, _ request: Request) -> Bool {
        switch response.status.code {
        // A cache may hold the compressed response, and a part may belong to a compressed one.
        case 206: return true
        case 304: return response.unmodified.map { mayDependOnCoding($0, request) } ?? true
        case ..<200, 204, 205: return false
        default: break
        }
        return switch response.body {
        // A handler may have left out the body for HEAD.
        case .empty: request.method == .head
        case .bytes(let bytes): sizes.contains(bytes.count)
        case .file(let slice): sizes.contains(slice.count)
        case .stream(length: let length?, _): sizes.contains(length)
        case .stream(length: nil, _): true
        case .fault: false
        }
    }
}

/// The effect of a response's fields on its compression.
struct CompressionFields: Equatable {
    /// Whether the type is one to compress; nil without a `Content-Type`.
    private(set) var isTypeCompressible: Bool?
    /// Whether a field forbids it: the body is already encoded, must not be transformed, or has a digest of its exact bytes.
    private(set) var isForbidden = false

    init(_ fields: HTTPFields, types: MediaTypeSet) {
        for field in fields {
            switch field.name.canonicalName {
            case "content-type": isTypeCompressible = types.contains(field.value)
            case "content-encoding", "content-digest", "repr-digest", "digest", "content-md5":
                isForbidden = true
            case "cache-control": isForbidden = isForbidden || Self.forbidsTransformation(field.value)
            default: break
            }
        }
    }

    /// RFC 9111, section 5.2.2.6.
    static func forbidsTransformation(_ value: String) -> Bool {
        value.split(separator: ",").contains { directive in
            directive.trimmed.lowercased() == "no-transform"
        }
    }

    /// Whether the body may be compressed.
    ///
    /// - Parameter isNotModified: the response is a 304, which may leave out the type.
    func mayBeCompressed(isNotModified: Bool) -> Bool {
        !isForbidden && (isTypeCompressible ?? isNotModified)
    }
}

extension HTTPFields {
    /// Declares that the response depends on a field of the request (RFC 9110, section 12.5.5), in addition to other fields.
    mutating func addVary(_ field: HTTPField) {
        guard let present = self[.vary] else { return append(field) }
        let names = present.split(separator: ",").map { $0.trimmed.lowercased() }
        if names.contains("*") || names.contains(field.value.lowercased()) { return }
        self[.vary] = names.isEmpty ? field.value : "\(present), \(field.value)"
    }

    /// Makes a strong entity tag weak, for a body with the same meaning in other bytes (RFC 9110, section 8.8.3.3).
    mutating func weakenEntityTag() {
        guard let tag = self[.eTag], tag.hasPrefix("\"") else { return }
        self[.eTag] = "W/\(tag)"
    }

    /// Makes a strong entity tag weak if the client holds it as a weak one: a 304 has the tag of the response that it stands for
    /// (RFC 9110, section 15.4.5).
    mutating func matchEntityTag(of ifNoneMatch: String?) {
        guard let tag = self[.eTag], let ifNoneMatch, ifNoneMatch.contains("W/\(tag)") else { return }
        weakenEntityTag()
    }
}

/// Media types, as patterns: `application/json` is a single type, `text/*` a whole type, `*+json` all types with a suffix (RFC
/// 6838, section 4.2.8).
struct MediaTypeSet: Sendable {
    private enum Pattern: Sendable {
        case whole([UInt8])
        case beginning([UInt8])
        case ending([UInt8])
    }

    private let patterns: [Pattern]

    /// A malformed pattern stops the program.
    init(_ patterns: [String]) {
        self.patterns = patterns.map { pattern in
            let text = Array(pattern.lowercased().utf8)
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2, !parts.contains(where: \.isEmpty) {
                if !pattern.contains("*") { return .whole(text) }
                if parts[1] == "*", !parts[0].contains("*") { return .beginning(Array(text.dropLast())) }
            } else if pattern.hasPrefix("*+"), pattern.count > 2, parts.count == 1 {
                return .ending(Array(text.dropFirst()))
            }
            preconditionFailure(
                "'\(pattern)' isn't a pattern of media types: write one such as text/*, *+json or image/bmp"
            )
        }
    }

    /// Whether a Content-Type is in the set; its parameters and letter case don't count.
    func contains(_ contentType: String) -> Bool {
        let bytes = contentType.utf8.span
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: ";"), bytes[end] > UInt8(ascii: " ") { end += 1 }
        let type = bytes.extracting(..<end)
        return patterns.contains { pattern in
            switch pattern {
            case .whole(let text): type.count == text.count && Self.equal(type, from: 0, text)
            case .beginning(let text): type.count > text.count && Self.equal(type, from: 0, text)
            case .ending(let text): type.count > text.count && Self.equal(type, from: type.count - text.count, text)
            }
        }
    }

    private static func equal(_ type: Span<UInt8>, from start: Int, _ text: [UInt8]) -> Bool {
        for offset in text.indices {
            guard ASCII.lowercased(type[start + offset]) == text[offset] else { return false }
        }
        return true
    }
}
