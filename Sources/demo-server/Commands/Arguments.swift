import Backlot
import BacklotMocks
import BacklotService
import Logging

/// Checks arguments, and makes the errors for wrong ones.
enum Arguments {
    /// Checks that the value of an option is in a range. An option without a value passes.
    static func check<Value: Comparable>(
        _ option: String,
        _ value: Value?,
        in range: ClosedRange<Value>,
        _ noun: String = "number"
    ) throws {
        guard let value, !range.contains(value) else { return }
        let bounds = [range.lowerBound, range.upperBound].map { "\($0)" }
            .map { $0.hasSuffix(".0") ? String($0.dropLast(2)) : $0 }
        throw ValidationError("\(option) is \(value): write a \(noun) from \(bounds[0]) to \(bounds[1]).")
    }

    /// Reads an argument with `meaning`. An error becomes a `ValidationError` that begins with the option's name.
    static func read<Value>(_ option: String = "", _ meaning: () async throws -> Value) async throws -> Value {
        do {
            return try await meaning()
        } catch {
            throw error is ValidationError ? error : ValidationError("\(option)\(error).")
        }
    }

    static func read<Value>(_ option: String = "", _ meaning: () throws -> Value) throws -> Value {
        do {
            return try meaning()
        } catch {
            throw error is ValidationError ? error : ValidationError("\(option)\(error).")
        }
    }

    /// The clock that an option sets.
    ///
    /// - Throws: `ValidationError` for a text without a time.
    @Sendable static func clock(_ text: String) throws -> MockClock {
        guard let clock = MockClock(text) else {
            throw ValidationError("'\(text)' is no time: write one such as 2026-12-24T18:00:00Z, or '+3 days'.")
        }
        return clock
    }

    /// The bytes of a file that the user names; `-` stands for standard input.
    ///
    /// - Parameter option: the option that names the file, with a blank after it; empty for an argument.
    /// - Throws: `ValidationError`, which says what to do.
    static func bytes(of path: String, option: String = "") throws -> [UInt8] {
        try read(option) { try LineReader(path, longest: 0).readToEnd() }
    }

    /// Makes a file that the user names, or replaces it in one step. Links remain. A file that is replaced keeps its mode, and its
    /// owner if this user may give files away.
    ///
    /// - Parameter isPrivate: whether only this user may read and write a new file.
    static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws {
        let manager = FileManager.default
        var file = path
        // As many links as Linux follows; the last may lead to a file that doesn't exist yet.
        for _ in 0..<40 {
            guard let target = try? manager.destinationOfSymbolicLink(atPath: file) else { break }
            // Not as a URL: the system resolves "..", since the folder may be a link, too.
            let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
            file = target.hasPrefix("/") ? target : folder + target
        }
        guard let former = try? manager.attributesOfItem(atPath: file) else {
            return try PartialFile.write(bytes, to: file, isPrivate: isPrivate)
        }
        guard former[.type] as? FileAttributeType == .typeRegular else { throw FileError(path: file, code: EINVAL) }
        let draft = "\(file).\(UUID().uuidString.prefix(8))"
        defer { try? manager.removeItem(atPath: draft) }
        try PartialFile.write(bytes, to: draft)
        let owner: [FileAttributeKey] = [.ownerAccountID, .groupOwnerAccountID]
        try? manager.setAttributes(former.filter { owner.contains($0.key) }, ofItemAtPath: draft)
        try manager.setAttributes(former.filter { $0.key == .posixPermissions }, ofItemAtPath: draft)
        guard unsafe rename(draft, file) == 0 else { throw FileError(path: file, code: errno) }
    }

    /// Checks that an option names a file rather than a folder, and that the file's folder exists and may be written into.
    static func checkFile(_ option: String, _ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FolderLookup.exists(folder) else {
            throw ValidationError("\(option) '\(path)': the folder '\(folder)' doesn't exist. Make it first.")
        }
        guard !path.isEmpty, !FolderLookup.exists(path) else {
            let mistake = path.isEmpty ? "the name is missing. Name a file." : "this is a folder. Name a file in it."
            throw ValidationError("\(option) '\(path)': \(mistake)")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw ValidationError("\(option) '\(path)': this user may not write into '\(folder)'. Name another folder.")
        }
    }

    /// Prints an error, and returns the exit code 1 for the command to throw.
    static func failure(_ text: String) -> ExitCode {
        StandardError.print("Error: \(text)")
        return .failure
    }

    /// A log on standard error, for commands that don't serve.
    static var logger: Logger { LogOutput.standardError.logger(label: "demo-server") }

    /// A path for a shell: in quotes if it contains a blank.
    static func quoted(_ path: String) -> String { path.contains(" ") ? "'\(path)'" : path }
}

/// Whether folders exist.
enum FolderLookup {
    static func exists(_ path: String) -> Bool {
        var isFolder: Bool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
