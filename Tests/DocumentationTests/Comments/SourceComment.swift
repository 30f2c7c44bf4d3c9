import Foundation

/// A comment of a declaration in Sources, with its examples.
struct SourceComment {
    /// A fenced block of Swift.
    struct Example {
        /// Its first line in the file, from 1.
        var line: Int
        var lines: [Substring]
    }

    /// The file, from the root of the repository: `Sources/Applin/Widgets/Text.swift`.
    let file: String
    let module: String
    /// The comment's first line; empty without a comment.
    let summary: String
    /// The declaration's first line, with its attributes.
    let declaration: String
    let examples: [Example]

    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../..")
        .standardizedFileURL

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files below Sources with a suffix, as paths from the root.
    static func files(_ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
            .filter { $0.hasSuffix(suffix) }.map { "Sources/\($0)" }.sorted()
    }

    /// The declarations of all libraries that other packages may use, with or without a comment.
    static let all: [SourceComment] = (try? files(".swift").flatMap { try comments(in: $0) }) ?? []

    private static func comments(in file: String) throws -> [SourceComment] {
        let lines = try text(file).split(separator: "\n", omittingEmptySubsequences: false)
        let module = String(file.split(separator: "/")[1])
        var (found, summary, examples, open): ([SourceComment], Substring?, [Example], Example?) = ([], nil, [], nil)
        for (index, line) in lines.enumerated() {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                let text = code.dropFirst(code.hasPrefix("/// ") ? 4 : 3)
                summary = summary ?? text
                if let example = open {
                    if text == "```" { examples.append(example) } else { open?.lines.append(text) }
                    if text == "```" { open = nil }
                } else if text == "```swift" {
                    open = Example(line: index + 2, lines: [])
                }
            } else if !(code.hasPrefix("@") && !code.contains("public ")) {
                if code.contains("public ") {
                    found.append(
                        SourceComment(
                            file: file,
                            module: module,
                            summary: String(summary ?? ""),
                            declaration: String(line),
                            examples: examples
                        )
                    )
                }
                (summary, examples, open) = (nil, [], nil)
            }
        }
        return found
    }
}
