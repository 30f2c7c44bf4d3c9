internal import BacklotHTTP
internal import HTTPTypes

/// Answers GET and HEAD with the files of a folder, where no route does.
struct StaticFiles: Fallback {
    let folder: FileFolder
    /// The path that the folder stands for, without a slash at its end: empty for `/`.
    let prefix: String
    let fields: FileFields
    /// The name of the file that stands for its folder.
    let index: String?
    let usesPrecompressed: Bool

    /// What is found at once needs neither a task nor another thread; that is all that the system has in memory.
    func answerAtOnce(_ request: Request) throws -> FallbackAnswer {
        try find(request, mayBlock: false)
    }

    func answer(_ request: Request) async throws -> Response? {
        guard FilePath(request.path, below: prefix) != nil else { return nil }
        return switch try await Blocking.run({ try find(request, mayBlock: true) }) {
        case .response(let response): response
        case .nothing, .unknown: nil
        }
    }

    private func find(_ request: Request, mayBlock: Bool) throws -> FallbackAnswer {
        let requestPath = request.path
        guard let path = FilePath(requestPath, below: prefix) else { return .nothing }
        var name = path.name
        if path.meansFolder {
            guard let index else { return .nothing }
            name = Self.join(name, index)
        }
        switch name.isEmpty ? .folder : try open(name, mayBlock: mayBlock) {
        case .file(let file):
            try Self.checkMethod(request)
            return try answer(request, file, name, mayBlock: mayBlock)
        case .folder:
            guard !path.meansFolder, let index else { return .nothing }
            return switch try open(Self.join(name, index), mayBlock: mayBlock) {
            case .file: try redirect(request, requestPath)
            case .unknown: .unknown
            case .folder, .nothing: .nothing
            }
        case .nothing: return .nothing
        case .unknown: return .unknown
        }
    }

    private func open(_ name: String, mayBlock: Bool) throws -> FileFolder.Entry {
        do {
            return try folder.open(name, mayBlock: mayBlock)
        } catch  where error.isShortage {
            throw StatusError(
                .serviceUnavailable,
                "too many files are open: try again soon",
                headers: [.retryAfter: "1"]
            )
        }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : "\(folder)/\(name)"
    }

    private static func checkMethod(_ request: Request) throws(StatusError) {
        guard request.method != .get, request.method != .head else { return }
        throw StatusError(
            .methodNotAllowed,
            "\(request.method) is not answered here; allowed: GET, HEAD",
            headers: [.allow: "GET, HEAD"]
        )
    }

    private func answer(_ request: Request, _ file: OpenFile, _ name: String, mayBlock: Bool) throws -> FallbackAnswer {
        let entry = fields[name]
        var answer = FileAnswer(file: file, fields: entry.fields)
        if usesPrecompressed, entry.mayBePrecompressed {
            switch try open(name + ".gz", mayBlock: mayBlock) {
            // One that is older was made from what the file was before.
            case .file(let compressed) where compressed.modified.seconds >= file.modified.seconds:
                if let accepted = request.headers[.acceptEncoding], AcceptEncoding(accepted).prefersGzip {
                    answer = FileAnswer(file: compressed, fields: entry.fields, coding: "gzip")
                }
                answer.variesByCoding = true
            case .unknown: return .unknown
            case .file, .folder, .nothing: break
            }
        }
        return .response(answer.response(to: request))
    }

    /// Sends the client to the path with a slash: links of the folder's index lead astray without it.
    ///
    /// The path can't be taken for another host's, `//host`: it has plain names only.
    private func redirect(_ request: Request, _ path: String) throws -> FallbackAnswer {
        try Self.checkMethod(request)
        let query = request.query.map { "?\($0)" } ?? ""
        return .response(try .redirect(to: "\(path)/\(query)", status: .movedPermanently))
    }
}
