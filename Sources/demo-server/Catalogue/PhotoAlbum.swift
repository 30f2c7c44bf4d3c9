import Backlot

/// The last pictures that clients have sent, as files in a temporary folder of the process.
actor PhotoAlbum {
    /// A picture.
    struct Photo: Sendable {
        /// The end of the picture's URL. It is unique, so clients may cache the picture.
        let id: String
        /// The path of the file.
        let path: String
        /// The file, opened once for all responses.
        let file: OpenFile
        /// The time of the upload.
        let date: HTTPDate
    }

    /// The maximum number of pictures; another one replaces the oldest.
    static let maximumCount = 20
    /// The largest picture, in bytes.
    static let maximumBytes = 5 * 1024 * 1024
    /// The space for incomplete pictures: 64 MB.
    static let budget = UploadBudget(bytes: 64 << 20)

    /// The pictures, the newest first.
    private(set) var photos: [Photo] = []
    /// The folder of the files; nil before the first picture.
    private(set) var folder: String?

    /// The picture with that id; nil for an unknown id.
    func photo(_ id: String) -> Photo? { photos.first { $0.id == id } }

    /// Takes a picture from the body of a request.
    ///
    /// - Throws: `RequestError` for a body that is too large or cut short, `UploadError` if there isn't enough space, `UserError`
    ///   for a file that isn't a JPEG picture. The body is then dropped.
    func add(_ body: RequestBody) async throws {
        let id = UUID().uuidString.lowercased()
        let file = try makeFolder() + "/\(id).jpg"
        _ = try await body.save(to: file, within: Self.budget)
        guard try await Blocking.run({ Self.isJPEG(file) }) else {
            await remove([file])
            throw UserError("Please send a JPEG picture.")
        }
        let open = try await Blocking.run { try OpenFile(file) }
        photos.insert(Photo(id: id, path: file, file: open, date: .now), at: 0)
        let dropped = photos.dropFirst(Self.maximumCount).map(\.path)
        photos.removeLast(dropped.count)
        await remove(dropped)
    }

    /// Removes all pictures, but not those that clients are sending.
    func clear() async {
        let paths = photos.map(\.path)
        photos = []
        await remove(paths)
    }

    /// Forgets all pictures, and removes the folder.
    func removeAll() async {
        photos = []
        guard let folder else { return }
        self.folder = nil
        await remove([folder])
    }

    private func makeFolder() throws -> String {
        if let folder { return folder }
        let name = "demo-server-\(UUID().uuidString.lowercased())"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw UploadError.diskFull
        }
        folder = path
        return path
    }

    private func remove(_ paths: [String]) async {
        // A file that can't be removed does no harm, since the folder is temporary.
        try? await Blocking.run { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    }

    /// Whether a file has the first bytes of a JPEG picture. Only these are read, since threads keep freed megabytes for later.
    static func isJPEG(_ file: String) -> Bool {
        guard let data = try? Data(contentsOf: URL(filePath: file), options: .alwaysMapped) else { return false }
        return data.starts(with: [0xFF, 0xD8, 0xFF])
    }
}

extension HTTPDate {
    /// The current time.
    static var now: HTTPDate { HTTPDate(secondsSince1970: Int(Date.now.timeIntervalSince1970)) }
}

extension PhotoAlbum.Photo {
    /// The picture for a client that shows it, or 304 if the client has it.
    func response(to request: Request) -> Response {
        // The picture of an id never changes, but a proxy must not keep a user's photo.
        let headers: HTTPFields = [
            .contentType: "image/jpeg", .cacheControl: "private, max-age=86400, immutable",
        ]
        return Response(headers: headers, body: .file(FileSlice(file)))
            .validated(by: Validators(eTag: ETag(id), lastModified: date), for: request)
    }
}
