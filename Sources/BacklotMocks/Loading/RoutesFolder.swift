package import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder of the routes. Only regular files in it are read: no path and no link leads out.
package struct RoutesFolder: Sendable {
    /// The largest file that is read, in bytes.
    package static let largestFile = 32 * 1024 * 1024

    package let path: String
    private let folder: FileFolder

    /// nil if the folder doesn't exist.
    package init?(_ path: String) {
        guard let folder = FileFolder(path) else { return nil }
        self.path = path
        self.folder = folder
    }

    /// Its current files; nil if the folder no longer exists. It blocks.
    package func list() -> FolderListing? { FolderListing(path) }

    /// The bytes of a file. It blocks.
    ///
    /// - Parameter name: the path below the folder.
    /// - Throws: `MessageError`.
    package func read(_ name: String) throws(MessageError) -> [UInt8] {
        // In a file's name, a percent sign has no special meaning.
        let encoded = name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        guard let file = FilePath("/\(encoded)", below: "") else {
            throw MessageError(
                "isn't a path to a file in the folder; '..' and names with a dot at their start are not followed"
            )
        }
        do throws(FileError) {
            if case .file(let open) = try folder.open(file.name, mayBlock: true), open.size <= Self.largestFile {
                return try open.bytes()
            }
        } catch {
            throw MessageError("can't be read: \(error)")
        }
        throw MessageError(
            "is not there, or is no regular file of at most \(Self.largestFile) bytes that may be read; links are not followed"
        )
    }
}

extension RoutesFolder {
    /// Writes a file in one step: readers see either the old one or the new one. It blocks.
    ///
    /// - Parameter name: the path below the folder. Folders on the way are made.
    /// - Throws: `MessageError`.
    package func write(_ bytes: [UInt8], to name: String) throws(MessageError) {
        let target = try place(of: name)
        do {
            let parent = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: target), options: .atomic)
        } catch {
            throw MessageError("\(name) can't be written: \(Self.reason(error))")
        }
    }

    /// Removes a file. It blocks.
    ///
    /// - Returns: false if the file doesn't exist.
    /// - Throws: `MessageError`.
    package func remove(_ name: String) throws(MessageError) -> Bool {
        let target = try place(of: name)
        guard FileManager.default.fileExists(atPath: target) else { return false }
        do {
            try FileManager.default.removeItem(atPath: target)
            return true
        } catch {
            throw MessageError("\(name) can't be removed: \(Self.reason(error))")
        }
    }

    /// The whole path of a file that may be written. Links can't lead out of the folder.
    private func place(of name: String) throws(MessageError) -> String {
        let encoded = name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        guard let plain = FilePath("/\(encoded)", below: ""), !plain.name.isEmpty, !plain.meansFolder else {
            throw MessageError(
                "\(name) isn't a path to a file in the folder; '..' and names with a dot at their start are not followed"
            )
        }
        var way = path
        for part in plain.name.split(separator: "/") {
            way += "/\(part)"
            let type = (try? FileManager.default.attributesOfItem(atPath: way))?[.type] as? FileAttributeType
            let isLast = way.utf8.count == path.utf8.count + 1 + plain.name.utf8.count
            guard type == nil || type == (isLast ? .typeRegular : .typeDirectory) else {
                throw MessageError(
                    "\(name) leads through a path that isn't a folder, or to a path that isn't a regular file"
                )
            }
        }
        return way
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        return switch error.code {
        case .fileWriteOutOfSpace: "the disk is full"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        case .fileWriteNoPermission: "this user may not write there"
        default: "\(error.code)"
        }
    }
}

/// The contents of a folder and of all folders below it.
package struct FolderListing: Sendable {
    /// The deepest nesting of folders.
    private static let deepest = 32

    /// The regular files, by their paths below the folder.
    package private(set) var files: [String: FileIdentity] = [:]
    /// The folders, by their paths below the folder; the folder itself is the empty one.
    private(set) var folders: [String] = []

    /// Lists a folder. It blocks. Names that begin with a dot, and files that aren't regular, are left out; symbolic links are not
    /// followed.
    ///
    /// - Returns: nil if the folder doesn't exist.
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
            case S_IFREG: files[below] = FileIdentity(status)
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
