internal import Backlot

/// The variables of a file such as `.env`, one per line: `NAME=value`.
///
/// A value is taken literally up to the end of its line, or to a `#` after a blank. Single quotes keep everything between them
/// unchanged. Double quotes also understand `\n`, `\t`, `\r`, `\"`, `\$` and `\\`. `export` before a name, a byte order mark and
/// CRLF are allowed. Variables in values are not expanded, and quotes don't span lines.
struct EnvironmentFile: Equatable {
    /// One assignment.
    struct Assignment: Equatable {
        /// Counted from 1.
        let line: Int
        let name: String
        let value: String
    }

    /// A line that can't be read.
    struct ParsingError: Error, Equatable {
        /// Counted from 1.
        let line: Int
        /// The mistake and the text to write instead: "line 3 of .env" precedes it.
        let reason: String
    }

    /// In the order of the file.
    let assignments: [Assignment]

    /// Each name with its last value.
    var variables: [String: String] {
        assignments.reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    /// Creates a file without variables.
    init() { assignments = [] }

    /// Reads the text of a file.
    init(_ text: String) throws(ParsingError) {
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var assignments: [Assignment] = []
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Substring(line.last == "\r" ? line.dropLast() : line)
            if let assignment = try Self.assignment(line, number: index + 1) { assignments.append(assignment) }
        }
        self.assignments = assignments
    }

    /// The assignment of one line; nil for an empty line and for a comment.
    private static func assignment(_ line: Substring, number: Int) throws(ParsingError) -> Assignment? {
        var line = line.trimmed
        if line.isEmpty || line.first == "#" { return nil }
        if line.hasPrefix("export"), let next = line.dropFirst(6).first, next == " " || next == "\t" {
            line = line.dropFirst(6).trimmed
        }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmed
        guard parts.count == 2, !name.isEmpty else {
            throw ParsingError(line: number, reason: "is not a setting: write NAME=value, or # before a comment.")
        }
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
            throw ParsingError(line: number, reason: "has a name that isn't made of letters, digits and _: '\(name)'.")
        }
        guard let value = value(parts[1]) else {
            throw ParsingError(
                line: number,
                reason: "has a quote that doesn't close at the end of the value: close it in the same line."
            )
        }
        return Assignment(line: number, name: String(name), value: value)
    }

    /// The value after `=`, without quotes and comment; nil if a quote isn't closed, or is closed too early.
    private static func value(_ text: Substring) -> String? {
        guard let quote = text.trimmed.first, quote == "'" || quote == "\"" else {
            let comment = [" #", "\t#"].compactMap { text.firstRange(of: $0)?.lowerBound }.min()
            return String(text[..<(comment ?? text.endIndex)].trimmed)
        }
        var value = ""
        var rest = text.trimmed.dropFirst()
        while let character = rest.popFirst() {
            if character == quote {
                let comment = rest.trimmed
                return comment.isEmpty || comment.first == "#" && comment.startIndex > rest.startIndex ? value : nil
            }
            guard character == "\\", quote == "\"", let escaped = rest.popFirst() else {
                value.append(character)
                continue
            }
            switch escaped {
            case "n": value.append("\n")
            case "t": value.append("\t")
            case "r": value.append("\r")
            case "\"", "\\", "$": value.append(escaped)
            // The backslash stays, for example in a pattern or a path.
            default: value += "\\\(escaped)"
            }
        }
        return nil
    }
}
