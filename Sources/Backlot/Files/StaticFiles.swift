internal import BacklotHTTP
internal import HTTPTypes

/// Answers GET and HEAD with the files of a folder, where no route does.
struct StaticFiles: Fallback {
    /// Files up to this size, in bytes, are read in one go; larger ones are sent piece by piece.
    private static let pieceSize = 256 * 1024

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
        return Response(headers: headers, body: try await Self.body(of: file))
    }

    /// The names of folders and file that a path means; nil when it is not below the prefix.
    private func names(in path: String) -> [String]? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentDecoding.decode($0) ?? "" }
        guard segments.starts(with: prefix) else { return nil }
        return Array(segments.dropFirst(prefix.count))
    }

    private static func body(of file: OpenFile) async throws -> ResponseBody {
        guard file.size > pieceSize else {
            return .bytes(try await Blocking.run { try file.read(file.size, from: 0) })
        }
        return .stream(length: file.size) { writer in
            var offset = 0
            while offset < file.size {
                let start = offset
                let piece = try await Blocking.run { try file.read(min(pieceSize, file.size - start), from: start) }
                guard !piece.isEmpty else { return }
                try await writer.write(piece)
                offset += piece.count
            }
        }
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
