/// Reads a form with files (`multipart/form-data`, RFC 7578) part by part while it arrives, without files on the disk.
/// `Request.form` is simpler.
///
/// ```swift
/// let form = try request.multipart()
/// while let part = try await form.next() {
///     while let piece = try await form.nextPiece() { checksum.update(piece) }
/// }
/// ```
public final class MultipartReader {
    private let limits: MultipartLimits
    private var pieces: RequestBody.AsyncIterator
    private var parser: MultipartParser
    private var events: ArraySlice<MultipartParser.Event> = []
    private var parts = 0
    private var part: MultipartHead?
    private var partSize = 0
    private var fieldSize = 0

    init(_ body: RequestBody, boundary: String, limits: MultipartLimits) {
        self.limits = limits
        pieces = body.makeAsyncIterator()
        parser = MultipartParser(boundary: boundary, largestHead: limits.head)
    }

    /// The next part; nil at the end. The rest of the current part is skipped.
    ///
    /// - Throws: `MultipartError` for a malformed form or an exceeded limit; `RequestError` as for any body.
    public func next() async throws -> MultipartHead? {
        while part != nil { _ = try await nextPiece() }
        guard case .head(let bytes, _)? = try await nextEvent() else { return nil }
        parts += 1
        guard parts <= limits.parts else { throw MultipartError.tooManyParts(limit: limits.parts) }
        let head = try MultipartHead(bytes)
        part = head
        partSize = 0
        return head
    }

    /// The next piece of the part's body; nil at its end.
    ///
    /// - Throws: the errors of `next()`.
    public func nextPiece() async throws -> [UInt8]? {
        guard let part, let event = try await nextEvent() else { return nil }
        guard case .bytes(let bytes) = event else {
            self.part = nil
            return nil
        }
        if part.filename != nil {
            partSize += bytes.count
            guard partSize <= limits.file else {
                throw MultipartError.fileTooLarge(name: part.name, limit: limits.file)
            }
        } else {
            fieldSize += bytes.count
            guard fieldSize <= limits.fields else { throw MultipartError.fieldsTooLarge(limit: limits.fields) }
        }
        return bytes
    }

    /// Reads the rest of the part's body.
    ///
    /// - Throws: the errors of `next()`.
    public func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await nextPiece() { bytes += piece }
        return bytes
    }

    /// Writes the rest of the part's body to a file, like `RequestBody.save`.
    ///
    /// - Returns: the file's size in bytes.
    @discardableResult
    public func save(to path: String) async throws -> Int {
        try await PartialFile.save(to: path, share: UploadShare(limits.budget)) { try await nextPiece() }
    }

    private func nextEvent() async throws -> MultipartParser.Event? {
        while events.isEmpty {
            guard let piece = try await pieces.next() else {
                guard parser.isWhole else { throw MultipartError.incomplete }
                return nil
            }
            events = try parser.read(piece)[...]
        }
        return events.removeFirst()
    }
}

extension Request {
    /// Reads a form with files part by part.
    ///
    /// - Throws: `MultipartError` with 415 for a body of another type, and with 400 for one without a boundary.
    public func multipart(limits: MultipartLimits = MultipartLimits()) throws(MultipartError) -> MultipartReader {
        let type = headers[.contentType] ?? ""
        guard Self.mediaType(type) == "multipart/form-data" else { throw .wrongType("multipart/form-data") }
        // RFC 2046, section 5.1.1.
        guard let boundary = FieldParameters(type[...])["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), boundary.last != " "
        else { throw .malformed("its Content-Type has no boundary of 1 to 70 characters") }
        return MultipartReader(body, boundary: boundary, limits: limits)
    }

    /// A media type without its parameters, in lower case.
    static func mediaType(_ field: String) -> String { field.prefix { $0 != ";" }.trimmed.lowercased() }
}
