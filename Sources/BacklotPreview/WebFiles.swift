import Backlot
import BacklotHTTP
import CPreviewFiles
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The scripts and styles of the shell. They are compiled in, so that a program needs no files beside it.
///
/// In debug builds the environment's `BACKLOT_PREVIEW_WEB` names a folder that they are read from instead, each time anew: for
/// work on them.
struct WebFiles: Sendable {
    /// A file.
    struct File: Sendable {
        let bytes: [UInt8]
        /// Its strong entity tag.
        let tag: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            tag = "\"" + SHA256.hash(bytes).prefix(9).map { String($0, radix: 16) }.joined(separator: "") + "\""
        }
    }

    private let files: [String: File]
    private let folder: String?

    init() {
        files = Self.compiledIn
        #if DEBUG
        folder = ProcessInfo.processInfo.environment["BACKLOT_PREVIEW_WEB"]
        #else
        folder = nil
        #endif
    }

    /// The file at a path below `Web/`; nil for an unknown path.
    subscript(path: String) -> File? {
        guard let known = files[path] else { return fileInFolder(path) }
        return fileInFolder(path) ?? known
    }

    /// The paths of all files that are compiled in.
    static let paths = compiledIn.keys.sorted()

    private func fileInFolder(_ path: String) -> File? {
        guard let folder, !path.split(separator: "/").contains("..") else { return nil }
        return (try? Data(contentsOf: URL(filePath: folder).appending(path: path))).map { File(Array($0)) }
    }

    private static let compiledIn: [String: File] = {
        var files: [String: File] = [:]
        var next = unsafe preview_first_file()
        while let file = unsafe next, let path = unsafe file.pointee.path, let bytes = unsafe file.pointee.bytes {
            let text = unsafe String(cString: bytes)
            let name = unsafe String(cString: path)
            files[name] = File(WebText(Array(text.utf8), named: name).bytes)
            unsafe next = file.advanced(by: 1)
        }
        return files
    }()
}

/// Answers with the scripts and styles of the shell, where preview may be used.
struct WebFileHandler: Handler {
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    ]

    let files: WebFiles
    let access: PreviewAccess

    func answer(_ request: Request) throws -> Answer {
        guard access.admits(request), let path = request.parameters["path"], let file = files[path],
            let type = path.split(separator: ".").last.flatMap({ Self.types[String($0)] })
        else { throw StatusError(.notFound, "nothing answers at \(request.path)") }
        // A browser asks each time whether its copy will do, so that it never mixes two versions.
        let headers: HTTPFields = [
            .contentType: type, .eTag: file.tag, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
        ]
        let known = request.headers[.ifNoneMatch] ?? ""
        if known.contains(file.tag) { return .ready(Response(status: .notModified, headers: headers)) }
        return .ready(Response(headers: headers, body: .bytes(file.bytes)))
    }
}
