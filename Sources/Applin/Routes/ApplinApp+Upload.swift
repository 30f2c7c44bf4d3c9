public import Backlot

extension ApplinApp {
    /// Adds an upload route for the pictures of `choosePhoto` and `takePhoto`. It responds to PUT with an empty body.
    ///
    /// Clients wait for permission before they send (`Expect: 100-continue`): if `handler` throws before it reads the body, the
    /// picture isn't sent. `request.body.save(to:)` streams it to a file, and removes the file if the picture arrives only in part.
    ///
    /// For a picture that is too large, and for bytes in an unknown format, the client gets a 422 with a text for the user,
    /// regardless of the request's content type. Clients only show the texts of 422 and 403.
    ///
    /// ```swift
    /// let photo = app.upload("/photo", limit: 5_000_000, formats: [.jpeg]) { request in
    ///     _ = try await request.body.save(to: "Photos/\(UUID()).jpg")
    /// }
    /// formButton("Choose a photo", choosePhoto(photo), poll())
    /// ```
    /// - Parameters:
    ///   - path: the path below the app's base URL, such as `/photo`.
    ///   - limit: the largest allowed picture, in bytes.
    ///   - formats: the allowed formats, recognised by the first bytes when `handler` reads the body; clients send JPEG. An empty
    ///     set allows any body.
    ///   - handler: takes the picture.
    /// - Returns: the upload route, for `choosePhoto` and `takePhoto`.
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

    /// Adds an upload route with a parameter in its path. Its handler and its actions use a value of your type for the parameter.
    ///
    /// For a text that can't be converted, the client gets a 400.
    ///
    /// ```swift
    /// app.upload("/notes/{id}/photo", id: Int.self) { id, request in
    ///     _ = try await request.body.save(to: "Photos/\(id).jpg")
    /// }
    /// ```
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
