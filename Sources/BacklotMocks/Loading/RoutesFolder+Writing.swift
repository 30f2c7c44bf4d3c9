import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RoutesFolder {
    /// Writes a file, at once: who reads it sees the old one or the new one. It blocks.
    ///
    /// - Parameter name: the path below the folder. Folders on the way are made.
    /// - Throws: `UnwritableFile`.
    package func write(_ bytes: [UInt8], to name: String) throws(UnwritableFile) {
        let target = try place(of: name)
        do {
            let parent = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: target), options: .atomic)
        } catch {
            throw UnwritableFile(reason: "\(name) can't be written: \(Self.reason(error))")
        }
    }

    /// Removes a file. It blocks.
    ///
    /// - Returns: false when there is none.
    /// - Throws: `UnwritableFile`.
    package func remove(_ name: String) throws(UnwritableFile) -> Bool {
        let target = try place(of: name)
        guard FileManager.default.fileExists(atPath: target) else { return false }
        do {
            try FileManager.default.removeItem(atPath: target)
            return true
        } catch {
            throw UnwritableFile(reason: "\(name) can't be removed: \(Self.reason(error))")
        }
    }

    /// The whole path of a file that may be written: no link leads out of the folder.
    private func place(of name: String) throws(UnwritableFile) -> String {
        let encoded = name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        guard let plain = FilePath("/\(encoded)", below: ""), !plain.name.isEmpty, !plain.meansFolder else {
            throw UnwritableFile(
                reason:
                    "\(name) is no path to a file in the folder; '..' and names with a dot at their start are not followed"
            )
        }
        var way = path
        for part in plain.name.split(separator: "/") {
            way += "/\(part)"
            let type = (try? FileManager.default.attributesOfItem(atPath: way))?[.type] as? FileAttributeType
            let isLast = way.utf8.count == path.utf8.count + 1 + plain.name.utf8.count
            guard type == nil || type == (isLast ? .typeRegular : .typeDirectory) else {
                throw UnwritableFile(reason: "\(name) leads through what is no folder, or to what is no regular file")
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

/// Why a file can't be written.
package struct UnwritableFile: Error {
    package let reason: String
}
