import Backlot
import BacklotService
import Logging

/// What commands make of their arguments, and how they end when something is wrong with them.
enum Arguments {
    /// Makes sure that an option's value, if it has one, is in a range.
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

    /// What arguments mean. An error says what is wrong with them, behind the name of the option.
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

    /// A file that the user names; `-` is standard input.
    ///
    /// - Parameter option: the option that names it, with a blank behind it; empty for an argument.
    /// - Throws: `ValidationError`, which says what to name instead.
    static func bytes(of path: String, option: String = "") throws -> [UInt8] {
        do {
            return path == "-"
                ? try LineReader("-", longest: 0).readToEnd() : Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            let advice = "name a file that is there, or - for standard input."
            throw ValidationError("\(option)'\(path)' can't be read: \(advice)")
        }
    }

    /// Makes sure that an option names a file in a folder that is there, and not a folder.
    static func checkFile(_ option: String, _ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard FolderLookup.exists(folder) else {
            throw ValidationError("\(option) '\(path)': there is no folder '\(folder)'. Make it first.")
        }
        guard !FolderLookup.exists(path) else {
            throw ValidationError("\(option) '\(path)': this is a folder. Name a file in it.")
        }
    }

    /// Says what went wrong, for a command that ends with 1.
    static func failure(_ text: String) -> ExitCode {
        StandardError.print("Error: \(text)")
        return .failure
    }

    /// A log on standard error, for commands that serve nothing.
    static var logger: Logger { LogOutput.standardError.logger(label: "demo-server") }

    /// A path as a shell reads it.
    static func quoted(_ path: String) -> String { path.contains(" ") ? "'\(path)'" : path }
}

/// Whether folders are there.
enum FolderLookup {
    static func exists(_ path: String) -> Bool {
        var isFolder: Bool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
