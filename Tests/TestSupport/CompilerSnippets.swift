internal import Foundation

/// Deliberate mistakes, each with what the compiler must say about it. All are compiled in one run against the modules that the
/// running tests are linked with.
public struct CompilerSnippets: Sendable {
    /// A mistake.
    public struct Mistake: Sendable {
        /// The text that the error must contain.
        public let message: String
        /// The lines of the code in the file, from 1.
        public let lines: ClosedRange<Int>
        /// The line that ends in `// bad`.
        public let badLine: Int
    }

    /// An error of the compiler.
    public struct CompilerError: Equatable, Sendable, CustomStringConvertible {
        /// The file, as `#sourceLocation` names it, or the name of a temporary one.
        public let file: String
        /// The line of the file, from 1.
        public let line: Int
        /// The text after `error:`.
        public let message: String
        /// The place and the text.
        public var description: String { "\(file):\(line): \(message)" }
    }

    /// The mistakes, in their order.
    public let mistakes: [Mistake]
    /// The last line of the code that must compile.
    public let goodLines: Int
    private let source: String
    private let options: [String]

    /// Mistakes that are compiled together.
    ///
    /// - Parameters:
    ///   - good: code that must compile, so that the test doesn't pass because nothing does. Mistakes see its imports and declarations.
    ///   - opening: the beginning of the function around each mistake, after its name, on one line.
    ///   - options: `swiftc` options to add.
    ///   - mistakes: the code of each, with one line that ends in `// bad`, and the text that its error must contain.
    public init(
        good: String,
        opening: String,
        options: [String] = [],
        _ mistakes: [(code: String, message: String)]
    ) {
        self.options = options
        goodLines = good.split(separator: "\n", omittingEmptySubsequences: false).count
        var next = goodLines + 2
        self.mistakes = mistakes.map { mistake in
            let lines = mistake.code.split(separator: "\n", omittingEmptySubsequences: false)
            let badLine = lines.firstIndex { $0.hasSuffix("// bad") } ?? 0
            defer { next += lines.count + 2 }
            return Mistake(message: mistake.message, lines: next...next + lines.count - 1, badLine: next + badLine)
        }
        let functions = mistakes.enumerated().map { index, mistake in
            "func bad\(index)\(opening)\n\(mistake.code)\n}"
        }
        source = ([good] + functions).joined(separator: "\n")
    }

    /// The compiler's errors.
    ///
    /// - Throws: the error of `Process` without a compiler.
    public func compile() async throws -> [CompilerError] { try await Self.errors(in: [source], options: options) }

    /// The compiler's errors in texts, each a file of one module. It runs beside other tests, which need their threads while
    /// it does.
    ///
    /// - Throws: the error of `Process` without a compiler.
    public static func errors(in texts: [String], options: [String] = []) async throws -> [CompilerError] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try compile(texts, options) }) }
        }
    }

    private static func compile(_ texts: [String], _ options: [String]) throws -> [CompilerError] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try texts.enumerated().map { index, text in
            let file = folder.appendingPathComponent("snippets\(index).swift")
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-Werror",
                "DeprecatedDeclaration", "-I", modules ?? "",
            ] + files + options + headers.flatMap { ["-I", $0] }
        compiler.standardError = output
        try compiler.run()
        let text = compiler.limited {
            defer { compiler.waitUntilExit() }
            return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return text.split(separator: "\n").compactMap { line in
            // …/snippets0.swift:12:5: error: what is wrong
            let parts = line.components(separatedBy: ": error: ")
            guard parts.count == 2, parts[0].contains(".swift:") else { return nil }
            let place = parts[0].split(separator: ":")
            guard place.count >= 3, let number = Int(place[place.count - 2]) else { return nil }
            return CompilerError(file: String(place[place.count - 3]), line: number, message: parts[1])
        }
    }

    /// The folder of the compiled modules, beside the test bundle, which is an argument of this process; nil if it isn't there.
    public static let modules: String? = CommandLine.arguments
        .compactMap { argument in
            let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
            guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { return nil }
            return parts[..<bundle].joined(separator: "/") + "/Modules"
        }
        .first { FileManager.default.fileExists(atPath: $0 + "/Backlot.swiftmodule") }

    /// The folders of the C modules that the compiled modules need.
    private static let headers: [String] = {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources").path
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return folders.map { "\(sources)/\($0)" }.filter {
            FileManager.default.fileExists(atPath: "\($0)/module.modulemap")
        } + ["/usr/include/postgresql", "/usr/include/libxml2"]  // Places of Debian's that pkg-config names.
    }()
}
