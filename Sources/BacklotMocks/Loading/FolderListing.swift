import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is in a folder and all folders below it.
package struct FolderListing: Sendable {
    /// How deep folders may be nested.
    private static let deepest = 32

    /// The regular files, by their paths below the folder.
    package private(set) var files: [String: FileStamp] = [:]
    /// The folders, by their paths below the folder; the folder itself is the empty one.
    private(set) var folders: [String] = []

    /// Lists a folder. It blocks. What begins with a dot, and what isn't a regular file, is left out; symbolic links are not
    /// followed.
    ///
    /// - Returns: nil when there is no such folder.
    init?(_ folder: String) {
        guard list(folder, below: "", depth: 0) else { return nil }
    }

    private mutating func list(_ folder: String, below path: String, depth: Int) -> Bool {
        guard let names = Self.names(in: folder) else { return false }
        folders.append(path)
        for name in names where !name.hasPrefix(".") {
            var status = stat()
            let full = "\(folder)/\(name)"
            guard unsafe lstat(full, &status) == 0 else { continue }
            let below = path.isEmpty ? name : "\(path)/\(name)"
            switch status.st_mode & S_IFMT {
            case S_IFREG: files[below] = FileStamp(status)
            case S_IFDIR where depth < Self.deepest: _ = list(full, below: below, depth: depth + 1)
            default: continue
            }
        }
        return true
    }

    private static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name { names.append(name) }
        }
        return names
    }
}

extension FileStamp {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.init(
            number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec),
            changed: Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec)
        )
    }
}

/// The facts about a file that differ once it has changed.
package struct FileStamp: Equatable, Sendable {
    let number: UInt64
    let size: Int64
    /// Nanoseconds since 1970, of the last change of the bytes, and of the file's other facts.
    let modified: Int64
    let changed: Int64
}
