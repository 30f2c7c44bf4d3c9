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

    /// Adds a place for pictures with a parameter in its path. Its handler and its actions have the parameter as a value of your type.
    ///
    /// A text that can't be converted is refused with 400.
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
