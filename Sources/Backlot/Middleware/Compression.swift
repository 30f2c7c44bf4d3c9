/// Compresses answers for clients that ask for it (RFC 9110, section 12.5.3): `router.use(Compression())`, before other
/// middlewares, so that it sees what they make of an answer.
///
/// The codings are gzip and deflate. An answer stays uncompressed when its type doesn't compress well, when it is smaller than
/// `minimumSize` or larger than `maximumSize`, when it is a part of something (206), and when its `Cache-Control` says
/// `no-transform`. Say so for an answer that holds a secret of the user's beside words from the request: its size gives the
/// secret away bit by bit to those who can choose the words and see the encrypted traffic (the BREACH attack).
///
/// A strong `ETag` becomes a weak one, because the bytes differ from those that it was made for. `If-None-Match` works with
/// weak ones too; `If-Match` and `If-Range` don't.
///
/// A body that is streamed without a length still arrives piece by piece, as it is written. Pieces of less than some
/// hundred bytes compress badly.
public struct Compression: Middleware {
    /// The types of answers that are compressed by default.
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

    /// Compression of answers.
    ///
    /// - Parameters:
    ///   - minimumSize: the smallest body that is compressed, in bytes. Smaller ones fit into one packet with their head, and
    ///     arrive no earlier for being compressed; that costs several times what the rest of such an response does.
    ///   - maximumSize: the largest, in bytes, where the size is known before. Larger ones cost too much of the processor.
    ///   - level: from 1, fast, to 9, small. Measured with a page of 20 KB, in instructions: 3 costs a tenth more than 1 and
    ///     makes it 3 % smaller; 6, zlib's own choice, costs 60 % more than 3 for another 4 %.
    ///   - streams: the most bodies that are compressed piece by piece at a time, for all clients together. Each needs 256 KB
    ///     for as long as it lasts. Further ones are sent as they are.
    ///   - types: the media types of bodies that are compressed: `image/bmp`, `text/*` for all of a type, or `*+json` for all
    ///     with a suffix. `Compression.types` are the default.
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

    /// Hands the request on, and compresses what comes back.
    ///
    /// - Throws: what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let result = try next.respond(to: request)
        // Most answers that are there are small, and `map` would need memory for what it is given.
        if case .ready(let response) = result, !mayDependOnCoding(response, request) { return result }
        return try result.map { compress($0, for: request) }
    }

    private func compress(_ response: Response, for request: Request) -> Response {
        // The size first: it spares small answers the look at their fields.
        guard mayDependOnCoding(response, request) else { return response }
        let fields = CompressionFields(response.headers, types: types)
        guard fields.mayBeCompressed(isNotModified: response.status == .notModified) else { return response }
        var response = response
        // Caches must know it of the plain answer too.
        response.headers.addVary(Self.vary)
        if response.status == .notModified {
            response.headers.matchEntityTag(of: request.headers[.ifNoneMatch])
        } else if response.status != .partialContent, let accepted = request.headers[.acceptEncoding],
            let coding = AcceptEncoding(accepted).preferred, let body = encoder.encode(response.body, coding)
        {
            response.body = body
            response.headers[.contentEncoding] = coding.rawValue
            // A part of the compressed bytes can't be asked for.
            response.headers[.acceptRanges] = nil
            response.headers.weakenEntityTag()
        }
        return response
    }

    /// Whether, going by status and size, a client that accepts a coding may get other bytes than one that doesn't.
    private func mayDependOnCoding(_ response: Response, _ request: Request) -> Bool {
        switch response.status.code {
        // What a cache has may be the compressed answer, and what a part is of may have come compressed.
        case 206, 304: return true
        case ..<200, 204, 205: return false
        default: break
        }
        return switch response.body {
        // A handler may have spared HEAD the body.
        case .empty: request.method == .head
        case .bytes(let bytes): sizes.contains(bytes.count)
        case .file(let slice): sizes.contains(slice.count)
        case .stream(length: let length?, _): sizes.contains(length)
        case .stream(length: nil, _): true
        case .fault: false
        }
    }
}

/// What the fields of an answer say about compressing it.
struct CompressionFields: Equatable {
    /// Whether the type is one that is compressed; nil without a `Content-Type`.
    private(set) var isTypeCompressible: Bool?
    /// Whether some field forbids it: the body is encoded already, nobody is to change it, or its exact
    /// bytes have a digest.
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
    private static func forbidsTransformation(_ value: String) -> Bool {
        value.split(separator: ",").contains { directive in
            directive.trimmed.lowercased() == "no-transform"
        }
    }

    /// Whether the body may be compressed.
    ///
    /// - Parameter isNotModified: the answer is a 304, which need not say the type of what the client has.
    func mayBeCompressed(isNotModified: Bool) -> Bool {
        !isForbidden && (isTypeCompressible ?? isNotModified)
    }
}

extension HTTPFields {
    /// Says that the answer depends on a field of the request (RFC 9110, section 12.5.5), beside what else it depends on.
    mutating func addVary(_ field: HTTPField) {
        guard let present = self[.vary] else { return append(field) }
        let names = present.split(separator: ",").map { $0.trimmed.lowercased() }
        if names.contains("*") || names.contains(field.value.lowercased()) { return }
        self[.vary] = names.isEmpty ? field.value : "\(present), \(field.value)"
    }

    /// Makes a strong entity tag weak, for a body that means the same in other bytes (RFC 9110, section 8.8.3.3).
    mutating func weakenEntityTag() {
        guard let tag = self[.eTag], tag.hasPrefix("\"") else { return }
        self[.eTag] = "W/\(tag)"
    }

    /// Makes a strong entity tag weak if that is how the client has got it: a 304 bears the tag of what it stands for
    /// (RFC 9110, section 15.4.5).
    mutating func matchEntityTag(of ifNoneMatch: String?) {
        guard let tag = self[.eTag], let ifNoneMatch, ifNoneMatch.contains("W/\(tag)") else { return }
        weakenEntityTag()
    }
}

/// Media types, by patterns: `application/json` is itself, `text/*` all of a type, `*+json` all with a suffix (RFC 6838,
/// section 4.2.8).
struct MediaTypeSet: Sendable {
    private enum Pattern: Sendable {
        case whole([UInt8])
        case beginning([UInt8])
        case ending([UInt8])
    }

    private let patterns: [Pattern]

    /// A pattern of another form stops the program.
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

    /// Whether a Content-Type is in the set; its parameters and letter case say nothing about that.
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
