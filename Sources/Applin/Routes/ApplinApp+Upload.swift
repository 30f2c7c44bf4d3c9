public import Backlot

extension ApplinApp {
    /// Adds a place to which `choosePhoto` and `takePhoto` send pictures: it answers PUT with an empty body.
    ///
    /// Clients ask before they send (`Expect: 100-continue`): what `handler` throws before it reads the body refuses the
    /// picture unseen. `request.body.save(to:)` streams it to a file, and leaves none when it arrives only in part.
    ///
    /// - Parameters:
    ///   - path: the path below the app's base URL, such as `/photo`.
    ///   - limit: the largest picture that is taken, in bytes; larger ones are answered with 413.
    ///   - handler: takes the picture.
    public func upload(
        _ path: String,
        limit: Int = 20 * 1024 * 1024,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) {
        let source = SourceLocation(file: file, line: line)
        let action = ActionHandler { request in
            var request = request
            request.body.limit = limit
            try await handler(request)
        }
        routes.add(Route(.put, path, handler: action, source: source))
    }
}
