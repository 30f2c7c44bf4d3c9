internal import BacklotHTTP
internal import HTTPTypes

/// Answers GET and HEAD with the files of a folder, where no route does.
struct StaticFiles: Fallback {
    let folder: FileFolder
    /// The segments of the path that the folder stands for.
    let prefix: [String]

    func answer(_ request: Request) async throws -> Response? {
        guard request.method == .get || request.method == .head, let names = names(in: request.path) else { return nil }
        guard let file = try await Blocking.run({ folder.open(names) }) else { return nil }
        let headers: HTTPFields = [
            .contentType: MediaType.of(names.last ?? ""),
            .xContentTypeOptions: "nosniff",
        ]
        return Response(headers: headers, body: .file(FileSlice(file)))
    }

    /// The names of folders and file that a path means; nil when it is not below the prefix.
    private func names(in path: String) -> [String]? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentDecoding.decode($0) ?? "" }
        guard segments.starts(with: prefix) else { return nil }
        return Array(segments.dropFirst(prefix.count))
    }
}

extension Router {
    /// Serves the files of a folder where no route answers: regular files only, none that begin with a dot, none that a
    /// symbolic link leads to.
    ///
    /// - Parameters:
    ///   - folder: the folder, from the working directory unless it begins with `/`. It must exist when the server starts.
    ///   - path: the path that the folder stands for.
    public func files(_ folder: String, at path: String = "/", file: String = #fileID, line: Int = #line) {
        let source = SourceLocation(file: file, line: line)
        guard let open = FileFolder(folder) else {
            return report("there is no folder '\(folder)' to serve files from", source)
        }
        add(StaticFiles(folder: open, prefix: path.split(separator: "/").map(String.init)))
    }
}
