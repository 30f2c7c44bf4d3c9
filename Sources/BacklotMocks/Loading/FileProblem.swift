package import BacklotJSON

/// What is wrong in a file, and where.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path below the routes' folder.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// What is wrong, what was expected and what to write.
    public let text: String

    package init(_ file: String, _ text: String) {
        self.init(file, TextPosition(), text)
    }

    package init(_ file: String, _ position: TextPosition, _ text: String) {
        self.file = file
        line = position.line
        column = position.column
        self.text = text
    }

    /// The order of problems: by files, and in each from its beginning.
    package var place: (String, Int, Int) { (file, line, column) }

    /// A text that is no JSON. A string without an end is told where it begins.
    package init(_ file: String, _ error: JSONParseError, in bytes: [UInt8]) {
        let end = TextPosition(line: error.line, column: error.column).byteOffset(in: bytes)
        var quotes = JSONQuotes()
        var opening: Int?
        for (offset, byte) in bytes.prefix(end).enumerated() {
            let wasInside = quotes.isInside
            quotes.read(CollectionOfOne(byte))
            if quotes.isInside, !wasInside { opening = offset }
        }
        let isUnclosed = quotes.isInside && (end >= bytes.count || bytes[end] == 0x0A || bytes[end] == 0x0D)
        guard isUnclosed, let opening else {
            self.init(file, TextPosition(line: error.line, column: error.column), "this is no JSON: \(error.kind)")
            return
        }
        let text = "this is no JSON: the quote has no end on its line; write \" after the text"
        self.init(file, TextPosition(byteOffset: opening, in: bytes), text)
    }

    /// The problem as commands answer it.
    var json: JSONValue {
        [
            "file": .string(file), "line": .number(JSONNumber(Int64(line))),
            "column": .number(JSONNumber(Int64(column))), "message": .string(text),
        ]
    }

    /// `users/[id].get.yaml:3:7: …`
    public var description: String { "\(file):\(line):\(column): \(text)" }
}

/// A place in a text.
package struct TextPosition: Equatable, Sendable {
    package var line = 1
    package var column = 1

    init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }

    /// The number of bytes before the place.
    func byteOffset(in bytes: [UInt8]) -> Int {
        var (line, column) = (1, 1)
        for (offset, byte) in bytes.enumerated() {
            if line == self.line, column == self.column, byte & 0xC0 != 0x80 { return offset }
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return bytes.count
    }

    /// The place after a number of bytes; columns count code points.
    init(byteOffset: Int, in bytes: [UInt8]) {
        for byte in bytes.prefix(byteOffset) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

/// All that is wrong in a file.
package struct FileProblems: Error {
    package let list: [FileProblem]
}
