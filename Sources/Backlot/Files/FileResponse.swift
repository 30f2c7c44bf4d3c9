/// The response to requests for a file: the whole file, a part, or 304 if the client has it.
struct FileResponse: Sendable {
    /// The file. If it is compressed, bytes, ranges and validators refer to the compressed file.
    let file: OpenFile
    /// The fields that all its responses share: type, caching, validators.
    private let fields: CommonFields
    private let validators: Validators

    /// - Parameters:
    ///   - fields: the fields of the file, without its coding and validators.
    ///   - now: the current time.
    init(_ file: OpenFile, _ fields: HTTPFields, coding: String?, now: FileTime) {
        self.file = file
        validators = Validators(of: file, coding: coding, now: now)
        var fields = fields
        if let coding { fields.append(HTTPField(name: .contentEncoding, value: coding)) }
        if let tag = validators.eTag { fields.append(HTTPField(name: .eTag, value: tag.description)) }
        if let date = validators.lastModified { fields.append(HTTPField(name: .lastModified, value: date.description)) }
        self.fields = CommonFields(fields)
    }

    /// The response to a request.
    ///
    /// - Parameter now: the current time; nil to read the clock when needed.
    func response(to request: Request, now: HTTPDate? = nil) -> Response {
        let response = Response(common: fields, body: .file(FileSlice(file)))
        let preconditions = request.preconditions
        switch preconditions?.evaluate(validators, request.method) {
        case nil, .met: break
        case .notModified: return response.notModified()
        case .failed: return .preconditionFailed
        }
        // Ranges apply to GET only (RFC 9110, section 14.2). An empty file has none: all of it satisfies those who continue a download.
        guard request.method == .get, file.size > 0, let field = request.headers[.range],
            let ranges = ByteRanges(field),
            preconditions?.allowsRange(validators, now: now ?? .now) ?? true
        else { return response }
        return select(ranges, from: response)
    }

    private func select(_ ranges: ByteRanges, from whole: Response) -> Response {
        switch ranges.select(fromSize: file.size) {
        case .parts(let parts):
            var response = whole
            response.status = .partialContent
            if parts.count == 1 {
                response.headers[.contentRange] = parts[0].contentRange(of: file.size)
                response.body = .file(FileSlice(file, parts[0]))
            } else {
                let parts = MultipartByteRanges(of: file, parts, partFields: Self.partFields(whole.headers))
                response.headers[.contentType] = parts.contentType
                // The parts are compressed, not the body that holds them.
                response.headers[.contentEncoding] = nil
                response.body = parts.body
            }
            return response
        case .unsatisfiable: return refuse("the file has no byte in these ranges: it has \(file.size) bytes\n")
        case .excessive:
            return refuse("these are too many ranges, or more bytes than the file has: ask for all of it\n")
        }
    }

    private static func partFields(_ fields: HTTPFields) -> String {
        [HTTPField.Name.contentType, .contentEncoding]
            .compactMap { name in fields[name].map { "\(name.rawName): \($0)\r\n" } }.joined()
    }

    private func refuse(_ reason: String) -> Response {
        var response = Response.text(reason, status: .rangeNotSatisfiable)
        response.headers[.contentRange] = "bytes */\(file.size)"
        return response
    }
}

/// A file with its response fields, and its gzip version if one lies beside it.
struct FoundFile: Sendable {
    let plain: FileResponse
    let compressed: FileResponse?
    /// The file's path below the folder.
    let name: String

    /// - Parameters:
    ///   - fields: the fields for every file of the type.
    ///   - now: the current time.
    init(_ file: OpenFile, _ name: String, compressed: OpenFile?, fields: HTTPFields, now: FileTime = .now) {
        self.name = name
        var fields = fields
        if compressed != nil { fields.append(HTTPField(name: .vary, value: "Accept-Encoding")) }
        plain = FileResponse(file, fields, coding: nil, now: now)
        self.compressed = compressed.map { FileResponse($0, fields, coding: "gzip", now: now) }
    }

    /// The version of the file for this client.
    func response(to request: Request) -> FileResponse {
        guard let compressed, let accepted = request.headers[.acceptEncoding],
            AcceptEncoding(accepted).prefersGzip
        else { return plain }
        return compressed
    }
}

/// The response fields for every file of a type, made once for each type.
struct FileFields {
    /// The facts about a type.
    struct Entry {
        let fields: HTTPFields
        /// Whether a gzip version may lie beside such a file.
        let mayBePrecompressed: Bool
    }

    private let byEnding: [String: Entry]
    private let unknown: Entry

    init(cacheControl: String?) {
        let cacheControl = cacheControl
        let make = { (ending: String, type: String) in
            var fields: HTTPFields = [
                .contentType: type, .xContentTypeOptions: "nosniff", .acceptRanges: "bytes",
            ]
            if let cacheControl { fields.append(HTTPField(name: .cacheControl, value: cacheControl)) }
            return Entry(fields: fields, mayBePrecompressed: !MediaType.isCompressed(ending))
        }
        byEnding = Dictionary(uniqueKeysWithValues: MediaType.byEnding.map { ($0, make($0, $1)) })
        unknown = make("", MediaType.unknown)
    }

    /// The facts about the type of the file with that name.
    subscript(name: String) -> Entry { byEnding[MediaType.ending(of: name)] ?? unknown }
}

extension Validators {
    /// Reproducible builds set every file's time to one of long ago.
    private static let earliestBelieved = 1_000_000_000  // September 2001

    /// The validators of a file, from its size and the time of its last change.
    ///
    /// The tag is weak until the file is a second old: it might change again without a change of its time, which some systems count
    /// in hundredths of a second. A strong tag is wrong only if a program changes a file, keeps its size and sets its time back.
    ///
    /// A time before September 2001 doesn't say when a file changed: it is the same in each release of a program. The tag then uses
    /// the time when the system stored the file, and no date is sent.
    ///
    /// - Parameters:
    ///   - coding: the content coding; the tag of a compressed file must differ from that of the plain file.
    ///   - now: the current time.
    init(of file: OpenFile, coding: String? = nil, now: FileTime = .now) {
        let isBelieved = file.modified.seconds >= Self.earliestBelieved
        let time = isBelieved ? file.modified : max(file.modified, file.changed)
        var value = ""
        for number in [time.seconds, time.nanoseconds, file.size] {
            if !value.isEmpty { value += "-" }
            value += String(number, radix: 16)
        }
        if let coding { value += "-\(coding)" }
        let isSettled = time < FileTime(seconds: now.seconds - 1, nanoseconds: now.nanoseconds)
        // Clients would treat a date in the future as invalid (RFC 9110, section 8.8.2.1).
        let date = min(file.modified.seconds, now.seconds)
        self.init(
            eTag: ETag(value, isWeak: !isSettled),
            lastModified: isBelieved ? HTTPDate(secondsSince1970: date) : nil
        )
    }
}

/// `Content-Disposition` of responses (RFC 6266).
enum ContentDisposition {
    /// The value for a file to save under a name: in ASCII for old clients, and also in UTF-8 (RFC 8187) if that differs.
    static func attachment(_ name: String) -> String {
        // Clients must not read folders from it; on some systems a backslash separates them too.
        let name = name.unicodeScalars.reduce(into: "") { result, scalar in
            let isPlain = scalar.value >= 0x20 && scalar.value != 0x7F && !"/\\".unicodeScalars.contains(scalar)
            result.unicodeScalars.append(isPlain ? scalar : "_")
        }
        let plain = name.unicodeScalars.reduce(into: "") { result, scalar in
            result.unicodeScalars.append(scalar.isASCII && scalar != "\"" && scalar != "%" ? scalar : "_")
        }
        guard plain != name else { return "attachment; filename=\"\(plain)\"" }
        // `value-chars` of RFC 8187, section 3.2.1.
        let encoded = PercentEncoding.encode(name, keeping: "!#$&+-.^_`|~")
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
