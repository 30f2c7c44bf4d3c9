#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A form from a client, with its files on the disk.
///
/// A file is deleted once the file and its form are released, unless it was moved.
public final class UploadedForm: Sendable {
    /// The fields that aren't files, in their order.
    public let fields: [NamedValue]
    /// The files, in their order.
    public let files: [UploadedFile]

    fileprivate init(fields: [NamedValue], files: [UploadedFile]) {
        self.fields = fields
        self.files = files
    }

    /// The value of the first field with a name; nil if it is missing.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The first file of the input with a name; nil if it is missing, or the user chose no file.
    public func file(_ name: String) -> UploadedFile? { files.first { $0.head.name == name } }

    /// The fields as one value, by the names of its properties, like `Request.query(as:)`.
    ///
    /// - Throws: `StatusError` with 400 and the name of the field that is missing or of another type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try InputDecoder.decode(type, from: fields, of: "the form")
    }
}

/// A file of a form.
public struct UploadedFile: Sendable {
    /// The head of the file's part: the names and the type from the client.
    public let head: MultipartHead
    /// The file's size in bytes.
    public let size: Int
    private let place: TemporaryFile

    fileprivate init(head: MultipartHead, size: Int, place: TemporaryFile) {
        self.head = head
        self.size = size
        self.place = place
    }

    /// The path of the file until it is moved or released.
    public var path: String { place.path }

    /// Moves the file to a permanent path once its bytes are on the disk, and replaces a file there. Both must be on one file
    /// system.
    ///
    /// - Throws: `FileError` if that fails.
    public func move(to path: String) async throws {
        try await Blocking.run { [place] in try PartialFile.move(place.path, to: path) }
    }
}

/// A file that is deleted when it is released.
private final class TemporaryFile: Sendable {
    let path: String
    let share: UploadShare

    init(_ path: String, within budget: UploadBudget) {
        self.path = path
        share = UploadShare(budget)
    }

    deinit { PartialFile.remove(path) }
}

extension Request {
    /// Reads a form: `multipart/form-data` (RFC 7578), with files that go to the disk while they arrive, or
    /// `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// router.with(BodyLimit(50_000_000)).post("/photos") { request in
    ///     let form = try await request.form()
    ///     guard let photo = form.file("photo") else { throw UserError("Please choose a photo.") }
    ///     try await photo.move(to: "Photos/\(UUID()).jpg")
    ///     return .text("Thank you.")
    /// }
    /// ```
    /// - Parameters:
    ///   - folder: the first folder of the files; nil for the system's folder for temporary files. Choose one on the file system
    ///     that you move them to.
    ///   - limits: the limits of the form.
    /// - Throws: `MultipartError`, `RequestError` as for any body, ``UploadError`` if there is no room for a file, and `FileError`
    ///   if it can't be written for another reason. Then no file stays on the disk.
    public func form(
        filesIn folder: String? = nil,
        limits: MultipartLimits = MultipartLimits()
    ) async throws -> UploadedForm {
        if Self.mediaType(headers[.contentType] ?? "") == "application/x-www-form-urlencoded" {
            let text = String(decoding: try await body.collect(upTo: min(limits.fields, body.limit)), as: UTF8.self)
            guard text.utf8.count(where: { $0 == UInt8(ascii: "&") }) < limits.pairs else {
                throw MultipartError.tooManyParts(limit: limits.pairs)
            }
            return UploadedForm(fields: NamedValue.decoded(text), files: [])
        }
        let reader: MultipartReader
        do throws(MultipartError) {
            reader = try multipart(limits: limits)
        } catch {
            guard case .wrongType = error else { throw error }
            throw MultipartError.wrongType("multipart/form-data or application/x-www-form-urlencoded")
        }
        let folder = folder ?? FileManager.default.temporaryDirectory.path
        var fields: [NamedValue] = []
        var files: [UploadedFile] = []
        while let head = try await reader.next() {
            guard let filename = head.filename else {
                let value = String(decoding: try await reader.collect(), as: UTF8.self).withFewMarks
                fields.append(NamedValue(name: head.name, value: value))
                continue
            }
            let place = TemporaryFile(
                "\(folder)/backlot-\(UInt64.random(in: .min ... .max).hexadecimal).upload",
                within: limits.budget
            )
            let size = try await PartialFile.save(to: place.path, share: place.share, isDurable: false) {
                try await reader.nextPiece()
            }
            // Browsers send this for an input without a file.
            if !filename.isEmpty || size > 0 { files.append(UploadedFile(head: head, size: size, place: place)) }
        }
        return UploadedForm(fields: fields, files: files)
    }
}
