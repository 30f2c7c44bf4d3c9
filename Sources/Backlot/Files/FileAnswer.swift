internal import BacklotHTTP
internal import HTTPTypes

/// What requests for a file are answered with: all of it, a part, or the news that the client has it.
struct FileAnswer: Sendable {
    /// The file; if it is in a content coding, its bytes, ranges and validators are those of the coded file.
    let file: OpenFile
    /// What is said of all of it: type, caching, validators.
    private let fields: HTTPFields
    private let validators: Validators

    /// - Parameters:
    ///   - fields: what is said of the file beside its coding and its validators.
    ///   - now: the time now.
    init(_ file: OpenFile, _ fields: HTTPFields, coding: String?, now: FileTime) {
        self.file = file
        validators = Validators(of: file, coding: coding, now: now)
        var fields = fields
        if let coding { fields.append(HTTPField(name: .contentEncoding, value: coding)) }
        if let tag = validators.eTag { fields.append(HTTPField(name: .eTag, value: tag.description)) }
        if let date = validators.lastModified { fields.append(HTTPField(name: .lastModified, value: date.description)) }
        self.fields = fields
    }

    /// The answer to a request.
    ///
    /// - Parameter now: the time now; nil to look at the clock where it is needed.
    func response(to request: Request, now: HTTPDate? = nil) -> Response {
        let response = Response(headers: fields, body: .file(FileSlice(file)))
        let preconditions = request.preconditions
        switch preconditions?.evaluate(validators, request.method) {
        case nil, .met: break
        case .notModified: return response.notModified()
        case .failed: return .preconditionFailed
        }
        // Ranges are a matter of GET alone (RFC 9110, section 14.2).
        guard request.method == .get, let field = request.headers[.range], let ranges = ByteRanges(field),
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
                response.headers[.contentRange] = ContentRange.text(parts[0], of: file.size)
                response.body = .file(FileSlice(file, parts[0]))
            } else {
                let parts = MultipartByteRanges(of: file, parts, partFields: Self.partFields(whole.headers))
                response.headers[.contentType] = parts.contentType
                // It is the parts that are coded, not the body that they make.
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
        response.headers[.contentRange] = ContentRange.unsatisfied(file.size)
        return response
    }
}
