import Backlot
import CPreviewFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The scripts and styles of the shell. They are compiled in, so that a program needs no files beside it. What browsers get of
/// them is made when one is asked for first: see `WebBundles`.
///
/// In debug builds the environment's `BACKLOT_PREVIEW_WEB` names a folder that they are read from instead, each time anew, and each
/// module by itself: for work on them.
struct WebFiles: Sendable {
    /// A file.
    struct File: Sendable {
        let bytes: [UInt8]
        /// The bytes in gzip's format, as small as zlib makes them; nil where that is no smaller.
        let compressed: [UInt8]?
        /// Its entity tag. It is weak, since both forms have the same.
        let tag: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            compressed = ContentCoding.gzip.encode(bytes, level: 9)
            tag = "W/\"" + SHA256.hash(bytes).prefix(9).map { String($0, radix: 16) }.joined(separator: "") + "\""
        }
    }

    private let folder =
        BuildDefaults.readsPreviewFolder ? ProcessInfo.processInfo.environment["BACKLOT_PREVIEW_WEB"] : nil

    /// The file at a path below `Web/`; nil for an unknown path.
    subscript(path: String) -> File? {
        fileInFolder(path) ?? Self.file(path)
    }

    /// The paths of all files that are compiled in.
    static let paths = sources.keys.sorted()

    /// The bundles of the modules that are compiled in.
    static let bundles = WebBundles(
        .init(
            uniqueKeysWithValues: sources.filter { $0.key.hasSuffix(".js") && !$0.key.hasPrefix("codemirror/") }
                .map { ($0.key, WebModule($0.value, at: $0.key, root: root)) }
        ),
        root: root
    )

    private static let root = PreviewPaths.root + "/web"

    private func fileInFolder(_ path: String) -> File? {
        guard let folder, !path.split(separator: "/").contains("..") else { return nil }
        return (try? Data(contentsOf: URL(filePath: folder).appending(path: path))).map { File(Array($0)) }
    }

    private static let made = Locked<[String: File]>([:])

    private static func file(_ path: String) -> File? {
        made.withLock { made in
            if let file = made[path] { return file }
            guard let source = sources[path] else { return nil }
            let file = File(bundles.entries.contains(path) ? bundles.text(of: path) : source)
            made[path] = file
            return file
        }
    }

    /// The files that are compiled in, as they were written.
    private static let sources: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        var next = unsafe preview_first_file()
        while let file = unsafe next, let path = unsafe file.pointee.path, let bytes = unsafe file.pointee.bytes {
            unsafe files[String(cString: path)] = Array(String(cString: bytes).utf8)
            unsafe next = file.advanced(by: 1)
        }
        return files
    }()
}

/// Sends the scripts and styles of the shell to clients that may use preview.
struct WebFileHandler: Handler {
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    ]

    let files: WebFiles
    let access: LocalAccess

    func respond(to request: Request) throws -> HandlerResult {
        guard access.admitsPreview(request), let path = request.parameters["path"], let file = files[path],
            let type = path.split(separator: ".").last.flatMap({ Self.types[String($0)] })
        else { throw StatusError.nothingResponds(at: request.path) }
        // A browser asks each time whether its copy will do, so that it never mixes two versions.
        var headers: HTTPFields = [
            .contentType: type, .eTag: file.tag, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
            .vary: "Accept-Encoding",
        ]
        let known = request.headers[.ifNoneMatch] ?? ""
        if known.contains(file.tag) { return .ready(Response(status: .notModified, headers: headers)) }
        guard let compressed = file.compressed,
            AcceptEncoding(request.headers[.acceptEncoding] ?? "").preferred == .gzip
        else { return .ready(Response(headers: headers, body: .bytes(file.bytes))) }
        headers[.contentEncoding] = ContentCoding.gzip.rawValue
        return .ready(Response(headers: headers, body: .bytes(compressed)))
    }
}
