import BacklotHTTP
import CPreviewFiles
import Crypto

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
            tag = "\"" + SHA256.hash(data: bytes).prefix(9).map { String($0, radix: 16) }.joined(separator: "") + "\""
        }
    }

    private let files: [String: File]
    private let folder: String?

    init() {
        files = Self.compiledIn.mapValues { File($0) }
        #if DEBUG
        folder = ProcessInfo.processInfo.environment["BACKLOT_PREVIEW_WEB"]
        #else
        folder = nil
        #endif
    }

    /// The file at a path below `Web/`; nil where there is none.
    subscript(path: String) -> File? {
        guard let known = files[path] else { return fileInFolder(path) }
        return fileInFolder(path) ?? known
    }

    /// The paths of all that are compiled in.
    static var paths: [String] { compiledIn.keys.sorted() }

    private func fileInFolder(_ path: String) -> File? {
        guard let folder, !path.split(separator: "/").contains("..") else { return nil }
        return (try? Data(contentsOf: URL(filePath: folder).appending(path: path))).map { File(Array($0)) }
    }

    private static var compiledIn: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var next = unsafe preview_first_file()
        while let file = unsafe next, let path = unsafe file.pointee.path, let bytes = unsafe file.pointee.bytes {
            let text = unsafe String(cString: bytes)
            unsafe files[String(cString: path)] = Array(text.utf8)
            unsafe next = file.advanced(by: 1)
        }
        return files
    }
}
