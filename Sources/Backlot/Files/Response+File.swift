extension Response {
    /// A response with one file: with its type and validators, and with support for the request's conditions and ranges (RFC 9110,
    /// sections 13 and 14), as for a folder of files.
    ///
    /// ```swift
    /// router.get("/report") { request in try await .file("Reports/2026.pdf", for: request, download: "Report.pdf") }
    /// ```
    /// - Parameters:
    ///   - path: the file, relative to the working directory unless it begins with `/`. The program must choose it: pass a name
    ///     from a request to `file(_:in:for:)`, which stays inside a folder.
    ///   - contentType: the media type; nil for the one of the file's extension.
    ///   - cacheControl: the value of `Cache-Control`; nil to leave the field out. By default, caches ask each time whether the
    ///     file has changed.
    ///   - download: the name for a browser to save the file under instead of showing it; nil to leave that to the browser.
    /// - Throws: `StatusError` with 404 if there is no regular, readable file, and with 503 if too many files are open.
    public static func file(
        _ path: String,
        for request: Request,
        contentType: String? = nil,
        cacheControl: String? = "no-cache",
        download: String? = nil
    ) async throws -> Response {
        let file = try await Blocking.run {
            do {
                return try OpenFile(path)
            } catch let error as FileError {
                throw StatusError.of(error, for: request)
            }
        }
        return response(file, path, for: request, contentType, cacheControl, download)
    }

    /// A response with one file of a folder, by a name that may come from a client; otherwise like `file(_:for:)`.
    ///
    /// ```swift
    /// router.get("/reports/{name}") { request in
    ///     try await .file(try request.parameter("name"), in: "Reports", for: request)
    /// }
    /// ```
    /// - Parameters:
    ///   - name: the file's name, or its path below the folder. No part of it may begin with a dot or be a symbolic link.
    ///   - folder: the folder, relative to the working directory unless it begins with `/`.
    public static func file(
        _ name: String,
        in folder: String,
        for request: Request,
        contentType: String? = nil,
        cacheControl: String? = "no-cache",
        download: String? = nil
    ) async throws -> Response {
        let file = try await Blocking.run { () -> OpenFile? in
            guard
                name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({
                    FilePath.isPlainName("\($0)")
                }),
                let folder = FileFolder(folder)
            else { return nil }
            do throws(FileError) {
                guard case .file(let file) = try folder.open(name, mayBlock: true) else { return nil }
                return file
            } catch {
                throw StatusError.of(error, for: request)
            }
        }
        guard let file else { throw StatusError.nothingResponds(at: request.path) }
        return response(file, name, for: request, contentType, cacheControl, download)
    }

    private static func response(
        _ file: OpenFile,
        _ name: String,
        for request: Request,
        _ contentType: String?,
        _ cacheControl: String?,
        _ download: String?
    ) -> Response {
        var fields: HTTPFields = [
            .contentType: contentType ?? MediaType.byEnding[MediaType.ending(of: name)] ?? MediaType.unknown,
            .xContentTypeOptions: "nosniff", .acceptRanges: "bytes",
        ]
        if let cacheControl { fields[.cacheControl] = cacheControl }
        if let download { fields[.contentDisposition] = ContentDisposition.attachment(download) }
        return FileResponse(file, fields, coding: nil, now: .now).response(to: request)
    }
}

extension StatusError {
    /// The error for a client that requests a file that can't be opened.
    fileprivate static func of(_ error: FileError, for request: Request) -> StatusError {
        error.isShortage ? .tooManyFiles : .nothingResponds(at: request.path)
    }

    /// The response if the process may open no further file.
    static var tooManyFiles: StatusError {
        StatusError(.serviceUnavailable, "too many files are open: try again soon", headers: [.retryAfter: "1"])
    }
}
