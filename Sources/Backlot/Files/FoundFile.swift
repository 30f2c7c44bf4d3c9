internal import BacklotHTTP
internal import HTTPTypes

/// A file that was found, with what is said of it, and the same file in gzip if there is one beside it.
struct FoundFile: Sendable {
    let plain: FileAnswer
    let compressed: FileAnswer?

    /// - Parameters:
    ///   - fields: what is said of every file of the type.
    ///   - now: the time now.
    init(_ file: OpenFile, compressed: OpenFile?, fields: HTTPFields, now: FileTime = .now) {
        var fields = fields
        if compressed != nil { fields.append(HTTPField(name: .vary, value: "Accept-Encoding")) }
        plain = FileAnswer(file, fields, coding: nil, now: now)
        self.compressed = compressed.map { FileAnswer($0, fields, coding: "gzip", now: now) }
    }

    /// The file as this client should get it.
    func answer(to request: Request) -> FileAnswer {
        guard let compressed, let accepted = request.headers[.acceptEncoding],
            AcceptEncoding(accepted).prefersGzip
        else { return plain }
        return compressed
    }
}
