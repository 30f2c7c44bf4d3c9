public import Backlot

extension ApplinApp {
    /// Adds a place to which `choosePhoto` and `takePhoto` send pictures: it answers PUT with an empty body.
    ///
    /// Clients ask before they send (`Expect: 100-continue`): an error that `handler` throws before it reads the body refuses the
    /// picture unseen. `request.body.save(to:)` streams it to a file, and leaves none when it arrives only in part.
    ///
    /// A picture that is too large is answered with 422 and a text for the user, and so are bytes in no known format, whatever
    /// the request's content type says. Clients show only the texts of 422 and 403.
    ///
    /// - Parameters:
    ///   - path: the path below the app's base URL, such as `/photo`.
    ///   - limit: the largest picture that is taken, in bytes.
    ///   - formats: the allowed formats, recognised by the first bytes when `handler` reads the body; clients send JPEG. An empty
    ///     set allows any body.
    ///   - handler: takes the picture.
    /// - Returns: the place, for `choosePhoto` and `takePhoto`.
    @discardableResult public func upload(
        _ path: String,
        limit: Int = 20 * 1024 * 1024,
        formats: Set<PictureFormat> = Set(PictureFormat.allCases),
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) -> UploadRoute<Never> {
        let action = ActionHandler { request in
            var request = request
            if let length = request.body.declaredLength, length > limit { throw PictureFormat.tooLarge(limit) }
            request.body.limit = limit
            if !formats.isEmpty {
                request.body = request.body.checkingFirst(PictureFormat.openingCount) { opening in
                    guard let format = PictureFormat(opening), formats.contains(format) else {
                        throw PictureFormat.refusal(formats)
                    }
                }
            }
            do {
                try await handler(request)
            } catch RequestError.bodyTooLarge {
                throw PictureFormat.tooLarge(limit)
            }
        }
        return UploadRoute(add(.put, path, CodeLocation(file: file, line: line), action))
    }

    /// Adds a place for pictures whose path has a parameter, which its handler and its actions have as a value of a type of yours.
    ///
    /// A text that can't be converted is answered with 400.
    @discardableResult public func upload<ID: RouteID>(
        _ path: String,
        id: ID.Type,
        limit: Int = 20 * 1024 * 1024,
        formats: Set<PictureFormat> = Set(PictureFormat.allCases),
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (ID, Request) async throws -> Void
    ) -> UploadRoute<ID> {
        let read = reader(of: path, id, file, line)
        return UploadRoute(
            upload(path, limit: limit, formats: formats, file: file, line: line) { try await handler(read($0), $0) }
                .path
        )
    }
}

/// A format of pictures, told by their first bytes.
public enum PictureFormat: String, Sendable, CaseIterable {
    /// ISO/IEC 10918-1, Annex B: the markers SOI and another.
    case jpeg = "JPEG"
    /// W3C Portable Network Graphics, section 5.2.
    case png = "PNG"
    /// ISO/IEC 23008-12: a box `ftyp` with a brand of HEIF.
    case heic = "HEIC"

    /// How many bytes tell the format.
    static let openingCount = 12

    private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

    /// The format of a picture; nil for other formats, and for what is no picture.
    ///
    /// - Parameter bytes: the picture, or its first 12 bytes.
    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8),
            Self.heifBrands.contains(String(decoding: bytes[8..<12], as: UTF8.self))
        {
            self = .heic
        } else {
            return nil
        }
    }

    /// The error for bytes in any other format.
    static func refusal(_ formats: Set<PictureFormat>) -> UserError {
        let names = allCases.filter(formats.contains).map(\.rawValue).alternatives
        return UserError("This is no picture that can be used here. Please choose one in the format \(names).")
    }

    static func tooLarge(_ limit: Int) -> UserError {
        UserError("This picture is too large. Please choose one of \(UserError.size(limit)) or less.")
    }
}
